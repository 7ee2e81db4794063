//! A step is counted while it is made. That it was counted twice is in a local after the checkpoint, which is only asked
//! whether there was a step: in memory or in a register, it comes to nothing.
#include <brownout.h>

BROWNOUT_NV volatile int phase, moved;

int main(void) {
    int step = phase + 1;
    phase = step; //~ NOTE [war] benign
    phase = 0;
    brownout_checkpoint();
    moved = step > 0;
    brownout_checkpoint();
    return 0;
}
