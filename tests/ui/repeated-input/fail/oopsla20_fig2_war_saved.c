//! OOPSLA'20 Fig. 2(b): the checkpoint saves what is read and overwritten; y still depends on the input.
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
        if (i > 1) { //~ ERROR [repeated-input] whether `y` is written
            x = b;
            y = 6;
        } else {
            x = z;
            z = 7;
            w = 8;
        }
    }
    return 0;
}
