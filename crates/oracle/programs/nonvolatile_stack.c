//! The stack survives as well. What is left of it at the end does not matter.
//@ static: harmless
//@ nonvolatile-stack
#include <brownout.h>

BROWNOUT_NV volatile int word;

static void helper(int value) {
    volatile int local[3];
    local[1] = value;
    word = local[1];
}

int main(void) {
    volatile int seen;
    brownout_checkpoint();
    seen = word;
    helper(4);
    return 0;
}
