//! A 32-bit counter on a 16-bit machine: all four bytes change.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>

unsigned long ticks = 0x00ffffff;

int main(void) {
    brownout_checkpoint();
    ticks = ticks + 1; //~ ERROR [war] `ticks`; `ticks` = 16777217 instead of 16777216
    return 0;
}
