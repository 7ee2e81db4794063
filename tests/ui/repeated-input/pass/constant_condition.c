//! OOPSLA'19 4.4: `if c x := 3 else {if true x := 3 else y := 5}`; the constant is seen, so that nothing writes y.
//@ args: --static
#include <brownout.h>

int in(void) BROWNOUT_INPUT;

static const int verbose = 0;
int x, y;

int main(void) {
    brownout_checkpoint();
    int quiet = !verbose;
    if (in() > 4) {
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
