//! A variable in information memory, which a routine of the same program writes by its address.
//@ policy: static
//@ config: chip = "msp430fr5969"
#include <brownout.h>

#pragma LOCATION(count, 0x1980)
unsigned count;

static void store(unsigned address, unsigned value) {
    *(unsigned *)address = value; //~ ERROR [war] `count`
}

int main(void) {
    brownout_checkpoint();
    unsigned next = count + 1; //~ NOTE [war] read here
    store(0x1980, next);
    brownout_checkpoint();
    return 0;
}
