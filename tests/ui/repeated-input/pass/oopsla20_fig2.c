//! OOPSLA'20 Fig. 2 and Fig. 8: the checkpoint saves the exclusive may-write set w, y, z, which has the variables that are read and overwritten in it.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int a, b, i, w, x, y, z;

int main(void) {
    brownout_checkpoint_with(&w, sizeof w, &y, sizeof y, &z, sizeof z);
    if (a > 0) {
        x = w;
        y = 3;
        w = 5;
    } else {
        b = 4;
        i = in();
        if (i > 1) {
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
