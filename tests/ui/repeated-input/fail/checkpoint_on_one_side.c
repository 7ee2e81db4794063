//! One side commits before it writes; what the other side wrote in an earlier attempt is committed with it.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    if (read_adc() > 7) { //~ ERROR [repeated-input] whether `low` is written
        brownout_checkpoint();
        high = 1;
    } else {
        low = 1;
    }
    return 0;
}
