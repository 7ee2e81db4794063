//! A pointer is replaced under the branch, and written through later.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int first;
int second;
int value;

int main(void) {
    brownout_checkpoint();
    int *target = &first;
    if (read_adc() > 7) {
        target = &second;
    }
    *target = 1; //~ ERROR [tainted-address] `first` and `second`
    return 0;
}
