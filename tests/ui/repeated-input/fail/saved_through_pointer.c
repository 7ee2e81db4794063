//! The checkpoint saves what a pointer points to, which may be the other variable.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int left;
int right;

int main(void) {
    int *kept = mode ? &left : &right;
    brownout_checkpoint_with(kept, sizeof *kept);
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `left` is written
        left = 1;
    }
    return 0;
}
