//! Work every tenth round, counted in volatile memory: a boot begins to count anew, as meant.
//@ restart: harmless
#include <brownout.h>

BROWNOUT_NV volatile int total, saved;

int main(void) {
    int tick = 0;
    for (;;) {
        total = total + 1;
        tick = tick + 1;
        if (tick == 10) {
            tick = 0;
            saved = total;
        }
    }
}
