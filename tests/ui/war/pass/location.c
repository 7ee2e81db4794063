//! It is read in one region and written in the next.
//@ policy: static
//@ config: chip = "msp430fr5969"
#include <brownout.h>

#pragma LOCATION(count, 0x1980)
unsigned count;

static void store(unsigned address, unsigned value) {
    *(unsigned *)address = value;
}

int main(void) {
    brownout_checkpoint();
    unsigned next = count + 1;
    brownout_checkpoint();
    store(0x1980, next);
    brownout_checkpoint();
    return 0;
}
