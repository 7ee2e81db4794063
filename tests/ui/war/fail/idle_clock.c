//! All work is done by a handler, and the program waits in a loop that does nothing: power fails in the
//! handler, and what belongs together does not any more.
#include <msp430.h>

__attribute__((section(".persistent"))) unsigned ticks, halves;

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    ticks += 2; //~ ERROR [war] `ticks` is overwritten, and a reboot right after it reads what does not fit; confirmed
    halves += 1;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    __enable_interrupt();
    while (1)
        ;
}
