//! The lamp is as its bit says.
//@ nv: !globals
//@ config: [[output]]
//@ config: register = "P1OUT"
//@ config: mask = 0x04
//@ config: semantics = "absolute"
//@ config: effect = "lamp = arg0"
//@ config: [environment]
//@ config: lamp = 0
#include <brownout.h>
extern volatile unsigned char P1OUT;

int main(void) {
    P1OUT = 0;
    brownout_checkpoint();
    P1OUT = P1OUT | 0x01;
    P1OUT = P1OUT | 0x04;
    return 0;
}
