//! How far a loop got before the configuration stopped it says where the end mark goes.
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
    while (used < 15 && used < limit) {
        used++;
    }
    line[used] = 1;
    return 0;
}
