//! After a checkpoint only the interrupt of the timer is set up again: it does not count, and never comes.
//@ config: chip = "msp430fr5969"
#include <msp430.h>
#include <brownout.h>

BROWNOUT_NV unsigned beats;

__attribute__((interrupt(TIMER0_A0_VECTOR))) void ta(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    TA0CCR0 = 1000;    //~ ERROR [peripheral-state] `TA0CCR0`
    TA0CTL = TASSEL__ACLK | MC__UP;    //~ ERROR [peripheral-state] `TA0CTL`
    for (unsigned i = 0; i < 4; i++) {
        brownout_checkpoint();
        TA0CCTL0 = CCIE;
        __bis_SR_register(LPM3_bits | GIE);    //~ NOTE [peripheral-state] used here
        beats = i;
    }
    brownout_checkpoint();
    return 0;
}
