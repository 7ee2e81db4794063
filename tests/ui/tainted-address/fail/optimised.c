//! After optimisation the two sides of a branch are one store to a chosen address.
//@ known-bug: a store that the compiler has merged has no line, and that of the function is shown
//@ args: --static
//@ flags: -O2
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    if (level > 7) { //~ ERROR [tainted-address] `high` and `low`
        high = level;
    } else {
        low = level;
    }
    return 0;
}
