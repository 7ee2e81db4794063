//! All work is done by a handler, and the program waits in a loop that does nothing. One counter is
//! all there is: what follows from it is computed.
#include <msp430.h>

__attribute__((section(".persistent"))) unsigned ticks;
unsigned halves;

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    ticks += 2;
    halves = ticks / 2;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    __enable_interrupt();
    while (1)
        ;
}
