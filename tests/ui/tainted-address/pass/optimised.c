//! After optimisation the two sides of a branch are two stores of chosen values.
//@ args: --static
//@ flags: -O2
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) {
        high = level;
        low = 0;
    } else {
        low = level;
        high = 0;
    }
    return 0;
}
