//! Non-volatile memory that has no name: the program knows its address, and the chip says that it keeps its contents.
//@ policy: static
//@ config: chip = "msp430fr5969"
#include <brownout.h>

#define COUNT (*(volatile unsigned *)0x1800)
#define LIMIT (*(volatile unsigned *)0x1802)

int main(void) {
    brownout_checkpoint();
    COUNT = COUNT + 1; //~ ERROR [war] `0x1800` is read, then overwritten
    LIMIT = 100;
    brownout_checkpoint();
    return 0;
}
