//! A branch on a device register turns on a lamp, which no power failure puts back or keeps.
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

extern volatile unsigned char P1IN;
extern volatile unsigned char P1OUT;

int lit;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (P1IN & 0x08) {
            P1OUT = 1;
        }
    }
}
