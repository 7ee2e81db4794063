//! The checkpoint saves what a pointer points to, which can only be this variable.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int left;
int right;

int main(void) {
    int *kept = &left;
    brownout_checkpoint_with(kept, sizeof *kept);
    if (read_adc() > 7) {
        left = 1;
    }
    return 0;
}
