//! Boots are counted, and the first one that gets so far calibrates: what it reads then is what the one that power cut
//! short would have read.
//@ restart fresh: harmless
//@ input sense: 21 25 28 30 33
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int boots, latest, zero, calibrated;

int main(void) {
    boots = boots + 1;
    latest = sense();
    if (!calibrated) {
        zero = sense();
        calibrated = 1;
    }
    return 0;
}
