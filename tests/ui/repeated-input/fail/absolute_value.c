//! The size of a reading decides.
//@ args: --static
#include <brownout.h>
#include <stdlib.h>

int read_tilt(void) BROWNOUT_INPUT;

int tilted;

int main(void) {
    brownout_checkpoint();
    int size = abs(read_tilt());
    if (size > 30) { //~ ERROR [repeated-input] whether `tilted` is written
        tilted = 1;
    }
    return 0;
}
