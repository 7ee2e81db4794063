//! The input says how much of a buffer is cleared.
//@ args: --static
#include <brownout.h>
#include <string.h>

unsigned int receive(void) BROWNOUT_INPUT;

char screen[32];

int main(void) {
    brownout_checkpoint();
    memset(screen, ' ', receive() & 31); //~ ERROR [tainted-address] where in `screen` is written
    return 0;
}
