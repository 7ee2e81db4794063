//! Boots are counted, and the first one calibrates. It says so before it has: the next one does not.
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
        calibrated = 1; //~ ERROR [war] `calibrated`
        zero = sense();
    }
    return 0;
}
