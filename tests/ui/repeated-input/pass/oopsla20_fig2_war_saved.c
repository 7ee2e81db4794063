//! OOPSLA'20 Fig. 2(b): with y written on every side, saving what is read and overwritten is enough.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int a, b, i, w, x, y, z;

int main(void) {
    brownout_checkpoint_with(&w, sizeof w, &z, sizeof z);
    if (a > 0) {
        x = w;
        w = 5;
    } else {
        b = 4;
        i = in();
        if (i > 1) {
            x = b;
            y = 6;
        } else {
            x = z;
            y = 0;
            z = 7;
            w = 8;
        }
    }
    return 0;
}
