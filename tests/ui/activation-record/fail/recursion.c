//! A checkpoint at the bottom of a recursion; all its records are popped, the next call reuses the outermost.
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
} //~ NOTE [activation-record] used here

static void other(void) {
    out = 1;
}

int main(void) {
    down();
    other(); //~ ERROR [activation-record] `return address of down`; crash wild-jump
    return 0;
}
