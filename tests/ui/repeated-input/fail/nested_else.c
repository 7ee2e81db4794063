//! OOPSLA'19 4.4: one side writes both variables, the other one of the two.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int mode, x, y;

int main(void) {
    brownout_checkpoint();
    int level = in();
    if (level > 10) { //~ ERROR [repeated-input] whether `x` and `y` are written
        x = 1;
        y = 1;
    } else {
        if (mode == 2) {
            x = 2;
        } else {
            y = 2;
        }
    }
    return 0;
}
