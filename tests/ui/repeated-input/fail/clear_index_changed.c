//! The index of a clearing loop is changed in its body.
//@ args: --static
//@ possible: `mode` is always 0 in this program
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 16; i++) {
        buffer[i] = 0;
        if (mode) {
            i++;
        }
    }
    if (receive() > 0) { //~ ERROR [repeated-input] whether `buffer
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
