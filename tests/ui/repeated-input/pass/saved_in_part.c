//! The checkpoint saves the half of an array that is written.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int levels[4];

int main(void) {
    brownout_checkpoint_with(levels, 2 * sizeof levels[0]);
    if (read_adc() > 7) {
        levels[1] = 1;
    }
    return 0;
}
