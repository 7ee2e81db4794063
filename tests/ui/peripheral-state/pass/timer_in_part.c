//! After a checkpoint all of the timer is set up again.
//@ config: chip = "msp430fr5969"
#include <msp430.h>
#include <brownout.h>

BROWNOUT_NV unsigned beats;

__attribute__((interrupt(TIMER0_A0_VECTOR))) void ta(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    for (unsigned i = 0; i < 4; i++) {
        brownout_checkpoint();
        TA0CCR0 = 1000;
        TA0CCTL0 = CCIE;
        TA0CTL = TASSEL__ACLK | MC__UP;
        __bis_SR_register(LPM3_bits | GIE);
        beats = i;
    }
    brownout_checkpoint();
    return 0;
}
