//! Boots are counted, and the first one that gets so far calibrates: what it reads then is what the one that power cut
//! short would have read. The sensor warms up before, so that this is many readings later.
//@ restart fresh: harmless
//@ input sense: 21 25 28 30 33 36 39 41 44 46 49 52 55 57 59 62 64 67 69 71 74 77 79 81 84 86 88 91 93 95 98 99
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int boots, latest, zero, calibrated;

int main(void) {
    boots = boots + 1;
    sense(), sense(), sense(), sense(), sense(), sense(), sense(), sense(), sense();
    latest = sense();
    if (!calibrated) {
        zero = sense();
        calibrated = 1;
    }
    return 0;
}
