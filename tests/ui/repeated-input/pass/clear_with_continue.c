//! A loop clears a buffer, in one of two ways for each element.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 16; i++) {
        if (mode == i) {
            buffer[i] = 1;
            continue;
        }
        buffer[i] = 0;
    }
    if (receive() > 0) {
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
