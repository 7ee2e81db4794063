//! What inputs give is collected: with other readings than before, another attempt leaves what the
//! first one added, although the same readings do no harm.
//@ config: [[input]]
//@ config: function = "buttons"
//@ config: range = [0, 7]
//@ config: [[input]]
//@ config: function = "level"
//@ config: range = [0, 7]
#include <brownout.h>

int buttons(void);
int level(void);

BROWNOUT_NV int pressed, highest;

int main(void) {
    brownout_checkpoint();
    pressed |= buttons(); //~ ERROR [war] `pressed` may be read, then overwritten before the next checkpoint; confirmed
    int now = level();
    highest = highest > now ? highest : now; //~ ERROR [war] `highest` may be read, then overwritten before the next checkpoint; confirmed
    brownout_checkpoint();
    return 0;
}
