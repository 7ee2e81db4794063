//! The input says what a buffer is filled with.
//@ args: --static
#include <brownout.h>
#include <string.h>

unsigned int receive(void) BROWNOUT_INPUT;

char screen[32];

int main(void) {
    brownout_checkpoint();
    memset(screen, (int)(receive() & 31), sizeof screen);
    return 0;
}
