//! A loop counts down to nothing.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

int main(void) {
    brownout_checkpoint();
    unsigned char *p = buffer;
    unsigned char left = 16;
    while (left--) {
        *p++ = 0;
    }
    if (receive() > 0) {
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
