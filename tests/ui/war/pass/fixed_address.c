//! The twin of `fail/fixed_address.c`: what is read and what is written are kept apart by a checkpoint.
//@ policy: static
//@ config: chip = "msp430fr5969"
#include <brownout.h>

#define COUNT (*(volatile unsigned *)0x1800)
#define LIMIT (*(volatile unsigned *)0x1802)

int main(void) {
    brownout_checkpoint();
    unsigned next = COUNT + 1;
    brownout_checkpoint();
    COUNT = next;
    LIMIT = 100;
    brownout_checkpoint();
    return 0;
}
