//! OOPSLA'19 4.4, repaired: the variable that the inner branch leaves alone is written after it.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int mode, x, y;

int main(void) {
    brownout_checkpoint();
    int level = in();
    int left = 0;
    if (level > 10) {
        x = 1;
    } else {
        if (mode == 2) {
            x = 2;
        } else {
            x = left;
            left = 1;
        }
    }
    y = left;
    return 0;
}
