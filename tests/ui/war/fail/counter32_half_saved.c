//! Only the low half of a 32-bit counter is saved: the carry is counted twice.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>

unsigned long ticks = 0x0000ffff;

int main(void) {
    brownout_checkpoint_with(&ticks, 2);
    ticks = ticks + 1; //~ ERROR [war] `ticks; `ticks` = 131072 instead of 65536
    return 0;
}
