//! An input decides which element is read; the one that is overwritten is saved.
//@ config: [[input]]
//@ config: function = "channel"
//@ config: values = [0, 1]
#include <brownout.h>

int channel(void);

BROWNOUT_NV int level[2] = {1, 2};

int main(void) {
    brownout_checkpoint_with(level, sizeof level);
    int seen = level[channel() & 1];
    level[1] = seen + 4;
    brownout_checkpoint();
    return 0;
}
