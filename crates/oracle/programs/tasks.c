//! Two tasks that hand on in non-volatile memory.
//@ tasks: harmless
//@ task: sample store
//@ input sense: 4 8 15 16
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

BROWNOUT_NV int raw, sum, result;

__attribute__((noinline)) void sample(void) { raw = sense(); }

__attribute__((noinline)) void store(void) { result = sum + raw; }

int main(void) {
    for (int i = 0; i < 2; i++) {
        sample();
        store();
    }
    return 0;
}
