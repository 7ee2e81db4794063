//! The checkpoint saves the first half of an array; the other half is written too.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int levels[4];

int main(void) {
    brownout_checkpoint_with(levels, 2 * sizeof levels[0]);
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `levels[3]` is written
        levels[1] = 1;
        levels[3] = 1;
    }
    return 0;
}
