//! A program as TI's compiler takes it: pragmas, intrinsics, registers of the chip.
//@ policy: static
#include <msp430.h>
#include <brownout.h>

#pragma PERSISTENT(seconds)
unsigned int seconds = 0;
#pragma DATA_SECTION(history, ".fram_vars")
unsigned int history[4];
#pragma NOINIT(boots)
unsigned int boots;
#pragma RETAIN(scratch)
unsigned int scratch;

#pragma vector=TIMER0_A0_VECTOR
__interrupt void tick(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    P1DIR |= BIT0;
    TA0CCTL0 = CCIE;
    __enable_interrupt();
    brownout_checkpoint();
    seconds = seconds + 1; //~ ERROR [war] `seconds` is read, then overwritten
    history[1] = history[1] + 2; //~ ERROR [war] `history
    boots = boots + 1; //~ ERROR [war] `boots` is read, then overwritten
    scratch = scratch + 1;
    __delay_cycles(1000);
    brownout_checkpoint();
    return 0;
}
