//! The input says how many elements are written.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char frame[8];

int main(void) {
    brownout_checkpoint();
    int length = receive() & 7;
    for (int i = 0; i < length; i++) { //~ ERROR [repeated-input] whether `frame[0..7]` is written
        frame[i] = 0x7e;
    }
    return 0;
}
