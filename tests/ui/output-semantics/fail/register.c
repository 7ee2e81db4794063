//! One bit of a port toggles a lamp; the others are none of its business.
//@ nv: !globals
//@ config: [[output]]
//@ config: register = "P1OUT"
//@ config: mask = 0x04
//@ config: semantics = "absolute"
//@ config: effect = "toggles += 1"
//@ config: [environment]
//@ config: toggles = 0
#include <brownout.h>
extern volatile unsigned char P1OUT;

int main(void) {
    P1OUT = 0;
    brownout_checkpoint();
    P1OUT = P1OUT | 0x01;
    P1OUT = P1OUT | 0x04;   //~ ERROR [output-semantics] `P1OUT` is meant to be absolute; `toggles` = 2 instead of 1
    return 0;
}
