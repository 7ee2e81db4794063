//! OOPSLA'20 Fig. 2 and Fig. 8 with a checkpoint that saves nothing: w and z are read and overwritten, and w, y, z depend on the input.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int a, b, i, w, x, y, z;

int main(void) {
    brownout_checkpoint();
    if (a > 0) {
        x = w;
        y = 3;
        w = 5; //~ ERROR [war] `w`
    } else {
        b = 4;
        i = in();
        if (i > 1) { //~ ERROR [repeated-input] whether `w`, `y` and `z` are written
            x = b;
            y = 6;
        } else {
            x = z;
            z = 7; //~ ERROR [war] `z`
            w = 8;
        }
    }
    return 0;
}
