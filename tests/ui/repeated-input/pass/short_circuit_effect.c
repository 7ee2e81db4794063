//! The right side of `||` is a call that writes; it is evaluated before.
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
    int second = check();
    fire = read_smoke() > 3 || second;
    return 0;
}
