//! The example of OOPSLA'20 Fig. 2: an input decides what is written. `w` is not saved.
//@ verdict: counterexample
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int a, b, i, w, x, y, z;
int main(void) {
    brownout_checkpoint_with(&y, sizeof y, &z, sizeof z);
    if (a == 1) {
        x = 1;
    } else {
        b = 2;
        i = sense();
        if (i > 5) {
            x = 3;
            y = 4;
        } else {
            x = 5;
            z = 6;
            w = z;
        }
    }
    brownout_checkpoint();
    return w + y + z;
}
