//! OOPSLA'19 4.4: `if c x := 3 else {if e x := 3 else y := 5}` where e is not known.
//@ args: --static
//@ possible: `verbose` is always 0 in this program
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

int verbose;
int x, y;

int main(void) {
    brownout_checkpoint();
    int quiet = !verbose;
    if (in() > 4) { //~ ERROR [repeated-input] whether `x` and `y` are written
        x = 3;
    } else {
        if (quiet) {
            x = 3;
        } else {
            y = 5;
        }
    }
    return 0;
}
