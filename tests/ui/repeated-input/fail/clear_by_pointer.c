//! A pointer clears a buffer up to its last element.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    for (unsigned char *p = buffer; p < buffer + 15; p++) {
        *p = 0;
    }
    if (receive() > 0) { //~ ERROR [repeated-input] whether `buffer
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
