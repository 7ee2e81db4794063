//! Three samples in a row, each counted when it is kept: what power cuts off is measured again.
//@ restart: harmless
//@ input sense: 21 25 28 30 33
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int samples[3];
BROWNOUT_NV int taken;

int main(void) {
    for (;;) {
        while (taken < 3) {
            samples[taken] = sense();
            taken++;
        }
    }
}
