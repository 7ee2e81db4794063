//! The second task takes what the first one left in plain memory, which a reboot loses.
//@ tasks: harm
//@ task: sample store
//@ input sense: 4 8 15 16
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

int raw;
BROWNOUT_NV int result, other;

__attribute__((noinline)) void sample(void) { raw = sense(); }

__attribute__((noinline)) void store(void) {
    other = 1;
    result = raw;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        sample();
        store();
    }
    return 0;
}
