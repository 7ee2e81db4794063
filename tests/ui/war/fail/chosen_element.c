//! An input decides which element is read, so another attempt may read the one that was overwritten.
//@ config: [[input]]
//@ config: function = "channel"
//@ config: values = [0, 1]
#include <brownout.h>

int channel(void);

BROWNOUT_NV int level[2] = {1, 2};

int main(void) {
    brownout_checkpoint();
    int seen = level[channel() & 1];
    level[1] = seen + 4; //~ ERROR [war] `level[1]` may be read, then overwritten before the next checkpoint; confirmed
    brownout_checkpoint();
    return 0;
}
