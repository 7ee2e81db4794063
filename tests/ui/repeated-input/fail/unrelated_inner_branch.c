//! A branch on the mode inside a branch on the reading sets what decides later.
//@ args: --static
//@ possible: `mode` is always 0 in this program
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int alarm;

int main(void) {
    brownout_checkpoint();
    int pending = 0;
    if (read_adc() > 7) {
        if (mode) {
            pending = 1;
        } else {
            pending = 0;
        }
    }
    if (pending) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
