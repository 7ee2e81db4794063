//! A step is counted while it is made. That it was counted twice is in a local after the checkpoint, and is kept.
#include <brownout.h>

BROWNOUT_NV volatile int phase, moved;

int main(void) {
    int step = phase + 1;
    phase = step; //~ ERROR [war] `phase`
    phase = 0;
    brownout_checkpoint();
    moved = step;
    brownout_checkpoint();
    return 0;
}
