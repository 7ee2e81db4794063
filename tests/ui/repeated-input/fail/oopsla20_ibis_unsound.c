//! OOPSLA'20 9.3: both sides may write the same variables, yet one of them writes only y or only z.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int mode, x, y, z;

int main(void) {
    brownout_checkpoint();
    if (in() > 3) { //~ ERROR [repeated-input] whether `y` and `z` are written
        x = 1;
        if (mode) {
            y = 1;
        } else {
            z = 1;
        }
    } else {
        x = 1;
        y = 1;
        z = 1;
    }
    return 0;
}
