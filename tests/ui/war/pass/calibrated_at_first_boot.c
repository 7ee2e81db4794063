//! Boots are counted, and the first one that gets so far calibrates. What it reads then, the boot that power cut short
//! would have read.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [7, 2, 3, 5, 9]
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV unsigned boots;
BROWNOUT_NV int latest, zero;
BROWNOUT_NV volatile char calibrated;

int main(void) {
    boots++;
    latest = sense();
    if (!calibrated) {
        zero = sense();
        calibrated = 1;
    }
    return 0;
}
