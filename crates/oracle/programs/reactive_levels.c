//! Levels that are set, and set again.
//@ reactive: harmless
//@ input sense: 4 8 15 16
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void set(int level) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int last, high;

int main(void) {
    for (;;) {
        int level = sense();
        set(level);
        last = level;
        high = level > 7;
    }
}
