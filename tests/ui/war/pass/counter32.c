//! Saved with all its bytes.
#include <brownout.h>

unsigned long ticks = 0x00ffffff;

int main(void) {
    brownout_checkpoint_with(&ticks, sizeof ticks);
    ticks = ticks + 1;
    return 0;
}
