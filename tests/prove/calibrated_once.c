//! A calibration that is done once is harmless, but not repeatable.
//@ verdict: unknown
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int calibrated, zero, last;
int main(void) {
    brownout_checkpoint();
    if (!calibrated) {
        zero = sense();
        calibrated = 1;
    }
    brownout_checkpoint();
    last = zero;
    return 0;
}
