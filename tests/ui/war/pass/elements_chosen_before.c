//! Which elements are read and overwritten was decided before the checkpoint, which saves them all.
//@ config: [[input]]
//@ config: function = "choose"
//@ config: values = [2, 5]
#include <brownout.h>

unsigned choose(void);

BROWNOUT_NV int level[8];

int main(void) {
    unsigned to = choose() & 7;
    unsigned from = choose() & 7;
    brownout_checkpoint_with(level, sizeof level);
    level[to] = level[from] + 1;
    brownout_checkpoint();
    return 0;
}
