//! The input says how deep a function calls itself; every call marks.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int marked;

static void descend(int depth) {
    marked = 1;
    if (depth > 0) {
        descend(depth - 1);
    }
}

int main(void) {
    brownout_checkpoint();
    descend(receive() & 3);
    return 0;
}
