//! A loop clears a buffer up to a length that is not known.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int length;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < length; i++) {
        buffer[i] = 0;
    }
    if (receive() > 0) { //~ ERROR [repeated-input] whether `buffer` is written
        for (int i = 0; i < 16; i++) {
            buffer[i] = 0x55;
        }
    }
    return 0;
}
