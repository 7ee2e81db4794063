//! Set-up that asks its sensor at every boot, and a log that is filled by and by.
//@ restart fresh: harmless
//@ restart: harmless
//@ input sense: 13 26 39 2 15 28 41 4 17 30 43 6
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int log[8], n;

int main(void) {
    sense();
    int zero = sense();
    while (n < 8) {
        log[n] = sense() - zero;
        n = n + 1;
    }
    return 0;
}
