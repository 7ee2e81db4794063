//! What is collected is saved; a bit-field that is set to what an input says takes nothing from an
//! earlier attempt, although its neighbours are read and written with it.
#include <brownout.h>

int buttons(void) BROWNOUT_INPUT;
int level(void) BROWNOUT_INPUT;

BROWNOUT_NV int pressed, highest;
BROWNOUT_NV struct {
    unsigned warm : 1, mode : 3;
} state;

int main(void) {
    brownout_checkpoint_with(&pressed, sizeof pressed, &highest, sizeof highest);
    pressed |= buttons();
    int now = level();
    highest = highest > now ? highest : now;
    state.warm = now > 3;
    brownout_checkpoint();
    return 0;
}
