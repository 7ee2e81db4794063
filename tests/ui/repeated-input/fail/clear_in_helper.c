//! A helper clears as many bytes as it is told, which is too few.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

unsigned char buffer[16];
int mode;

static void clear(unsigned char *bytes, unsigned int count) {
    for (unsigned int i = 0; i < count; i++) {
        bytes[i] = 0;
    }
}

int main(void) {
    brownout_checkpoint();
    clear(buffer, sizeof buffer / 2);
    if (receive() > 0) { //~ ERROR [repeated-input] whether `buffer
        buffer[3] = 1;
        buffer[15] = 2;
    }
    return 0;
}
