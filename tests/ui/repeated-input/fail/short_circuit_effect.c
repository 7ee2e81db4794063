//! The right side of `||` is a call that writes, or is not evaluated.
//@ args: --static
#include <brownout.h>

int read_smoke(void) BROWNOUT_INPUT;

int checked;
int fire;

static int check(void) {
    checked = 1;
    return 0;
}

int main(void) {
    brownout_checkpoint();
    fire = read_smoke() > 3 || check(); //~ ERROR [repeated-input] whether `checked` is written
    return 0;
}
