//! How far a loop got before the input stopped it says where the end mark goes.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int limit;
int last;
char line[16];

int main(void) {
    brownout_checkpoint();
    int used = 0;
    last = receive();
    while (used < 15 && receive() != '\n') {
        used++;
    }
    line[used] = 1; //~ ERROR [tainted-address] where in `line` is written
    return 0;
}
