//! OOPSLA'20 9.3, repaired: each side of the inner branch writes both variables.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int mode, x, y, z;

int main(void) {
    brownout_checkpoint();
    if (in() > 3) {
        x = 1;
        if (mode) {
            y = 1;
            z = 0;
        } else {
            y = 0;
            z = 1;
        }
    } else {
        x = 1;
        y = 1;
        z = 1;
    }
    return 0;
}
