//! The total is saved.
#include <brownout.h>

int total;

static void add(int depth) {
    if (depth == 0)
        return;
    total = total + depth;
    add(depth - 1);
}

int main(void) {
    brownout_checkpoint_with(&total, sizeof total);
    add(3);
    return 0;
}
