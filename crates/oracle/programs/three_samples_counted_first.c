//! Three samples in a row, each counted before it is kept: one may never have been measured.
//@ restart: harm
//@ input sense: 21 25 28 30 33
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int samples[3];
BROWNOUT_NV int taken;

int main(void) {
    for (;;) {
        while (taken < 3) {
            taken++; //~ restart: samples
            samples[taken - 1] = sense();
        }
    }
}
