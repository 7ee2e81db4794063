//! A checkpoint when the recursion is over.
//@ nv: stack
#include <brownout.h>

int level = 3;
int out;

static void down(void) {
    if (level == 0) {
        brownout_checkpoint();
    } else {
        level--;
        down();
    }
}

static void other(void) {
    out = 1;
}

int main(void) {
    down();
    brownout_checkpoint();
    other();
    return 0;
}
