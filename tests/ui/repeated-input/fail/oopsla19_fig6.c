//! OOPSLA'19 Fig. 6 with the initialisation on the wrong side of the checkpoint: the second attempt does not repeat it.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;

int x;
int y;

int main(void) {
    x = 0;
    y = 0;
    brownout_checkpoint();
    int level = sense();
    if (level > 5) { //~ ERROR [repeated-input] whether `x` and `y` are written
        x = 1;
        y = 2;
    }
    return x + y;
}
