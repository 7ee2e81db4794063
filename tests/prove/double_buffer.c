//! Double buffering: the other half is filled, then made the current one; `current` is saved.
//@ verdict: proved
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int halves[2][4];
BROWNOUT_NV int current;
int main(void) {
    for (int round = 0; round < 3; round++) {
        brownout_checkpoint_with(&current, sizeof current);
        int other = !current;
        for (int i = 0; i < 4; i++) halves[other][i] = sense();
        current = other;
    }
    brownout_checkpoint();
    return halves[current][0];
}
