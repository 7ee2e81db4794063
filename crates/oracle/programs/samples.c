//! Five samples of every boot are appended to a log: each stands for itself, and a boot that is cut short
//! has taken fewer.
//@ restart: harmless
//@ input sense: 21 22 23 24
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int samples[64];
BROWNOUT_NV unsigned count;

int main(void) {
    for (int i = 0; i < 5; i++) {
        samples[count & 63] = sense();
        count++;
    }
}
