//! Nobody says what a register does to the world: that it is not looked at is told.
//@ verdict: proved
//@ assumes: what is written to `P1OUT` is not looked at
#include <brownout.h>
#include <msp430.h>
BROWNOUT_NV int n;
int main(void) {
    brownout_checkpoint_with(&n, sizeof n);
    n++;
    P1OUT = n;
    brownout_checkpoint();
    return 0;
}
