//! The input says how deep a function calls itself; every call but the first marks.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int marked;

static void descend(int depth) {
    if (depth > 0) { //~ ERROR [repeated-input] whether `marked` is written
        marked = 1;
        descend(depth - 1);
    }
}

int main(void) {
    brownout_checkpoint();
    descend(receive() & 3);
    return 0;
}
