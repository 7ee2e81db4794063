//! The input says how many elements are written, after all of them were.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char frame[8];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 8; i++) {
        frame[i] = 0;
    }
    int length = receive() & 7;
    for (int i = 0; i < length; i++) {
        frame[i] = 0x7e;
    }
    return 0;
}
