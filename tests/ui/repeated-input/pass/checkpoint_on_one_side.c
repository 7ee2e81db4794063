//! One side commits before it writes; the variable of the other side is written before the branch.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int high;
int low;

int main(void) {
    brownout_checkpoint();
    low = 0;
    if (read_adc() > 7) {
        brownout_checkpoint();
        high = 1;
    } else {
        low = 1;
    }
    return 0;
}
