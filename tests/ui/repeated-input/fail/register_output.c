//! A branch on a device register turns on a lamp and remembers that in memory.
//@ possible: the loop has no end, and what it reads later decides whether this stays wrong
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

extern volatile unsigned char P1IN;
extern volatile unsigned char P1OUT;

int lit;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (P1IN & 0x08) { //~ ERROR [repeated-input] whether `lit` is written
            P1OUT = 1;
            lit = 1;
        }
    }
}
