//! Which elements are read and overwritten was decided before the checkpoint: it is the same in every
//! attempt, and may be one and the same element.
//@ config: [[input]]
//@ config: function = "choose"
//@ config: values = [2, 5]
#include <brownout.h>

unsigned choose(void);

BROWNOUT_NV int level[8];

int main(void) {
    unsigned to = choose() & 7;
    unsigned from = choose() & 7;
    brownout_checkpoint();
    level[to] = level[from] + 1; //~ ERROR [war] `level[0..6]` may be read, then overwritten before the next checkpoint; confirmed
    brownout_checkpoint();
    return 0;
}
