//! A pointer clears a buffer up to its end.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    for (unsigned char *p = buffer; p < buffer + 16; p++) {
        *p = 0;
    }
    if (receive() > 0) {
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
