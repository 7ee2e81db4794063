//! Everything is set up again after every restore.
//@ config: chip = "msp430fr5969"
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV unsigned rounds;

static void set_up(void) {
    WDTCTL = WDTPW | WDTHOLD;
    PM5CTL0 &= ~LOCKLPM5;
    P1OUT &= ~BIT0;
    P1DIR |= BIT0;
    TA0CCTL0 = CCIE;
    TA0CCR0 = 1000;
    TA0CTL = TASSEL__ACLK | MC__UP;
}

int main(void) {
    set_up();
    while (1) {
        unsigned next = rounds + 1;
        brownout_checkpoint();
        set_up();
        __bis_SR_register(LPM3_bits | GIE);
        P1OUT ^= BIT0;
        rounds = next;
    }
}

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}
