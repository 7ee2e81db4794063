//! A loop clears a buffer from its end to its start.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    for (int i = 15; i >= 0; i--) {
        buffer[i] = 0;
    }
    if (receive() > 0) {
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
