//! The timer is set up before the checkpoints: after a restore it does not run, and nothing wakes the device.
//@ config: chip = "msp430fr5969"
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV unsigned rounds;

static void set_up(void) {
    WDTCTL = WDTPW | WDTHOLD;
    PM5CTL0 &= ~LOCKLPM5;
    P1OUT &= ~BIT0;
    P1DIR |= BIT0;    //~ ERROR [peripheral-state] `P1DIR`
    TA0CCTL0 = CCIE;    //~ ERROR [peripheral-state] `TA0CCTL0`
    TA0CCR0 = 1000;    //~ ERROR [peripheral-state] `TA0CCR0`
    TA0CTL = TASSEL__ACLK | MC__UP;    //~ ERROR [peripheral-state] `TA0CTL`
}

int main(void) {
    set_up();
    while (1) {
        unsigned next = rounds + 1;
        brownout_checkpoint();
        __bis_SR_register(LPM3_bits | GIE);    //~ NOTE [peripheral-state] used here
        P1OUT ^= BIT0;    //~ NOTE [peripheral-state] used here
        rounds = next;
    }
}

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}
