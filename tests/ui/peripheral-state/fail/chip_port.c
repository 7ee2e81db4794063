//! Pins are set up before the checkpoint; what is written to them after a restore goes nowhere.
//@ config: chip = "msp430fr2433"
//@ nv: !globals
#include <brownout.h>
#include <msp430.h>

static void wait(void) {
    brownout_checkpoint();
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    P2DIR = BIT0;    //~ ERROR [peripheral-state] `P2DIR`
    UCA0CTLW0 = UCSWRST;
    UCA0CTLW0 |= UCSSEL__SMCLK;
    UCA0BRW = 8;    //~ ERROR [peripheral-state] `UCA0BRW`
    UCA0CTLW0 &= ~UCSWRST;    //~ ERROR [peripheral-state] `UCA0CTLW0`
    wait();
    P2OUT |= BIT0;    //~ NOTE [peripheral-state] used here
    UCA0TXBUF = 'x';    //~ NOTE [peripheral-state] used here
    wait();
    WDTCTL = WDTPW | WDTHOLD;
    return 0;
}
