//! Saved with both halves.
#include <brownout.h>

unsigned long ticks = 0x0000ffff;

int main(void) {
    brownout_checkpoint_with(&ticks, 4);
    ticks = ticks + 1;
    return 0;
}
