//! Pins are set up after the checkpoint, in whatever order; what holds its reset value is not lost.
//@ config: chip = "msp430fr2433"
//@ nv: !globals
#include <brownout.h>
#include <msp430.h>

static void wait(void) {
    brownout_checkpoint();
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    P2DIR = BIT0;
    P2REN = 0;
    UCA0CTLW0 = UCSWRST;
    wait();
    P2OUT &= ~BIT0;
    P2DIR |= BIT0;
    P2OUT |= BIT0;
    UCA0CTLW0 |= UCSSEL__SMCLK;
    UCA0BRW = 8;
    UCA0CTLW0 &= ~UCSWRST;
    UCA0TXBUF = 'x';
    if (P2IN & BIT3) {
        UCA0TXBUF = 'y';
    }
    wait();
    WDTCTL = WDTPW | WDTHOLD;
    return 0;
}
