//! A handler keeps the flags of its port for the main loop, which counts presses in two places.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>
#include <brownout.h>

BROWNOUT_NV volatile unsigned presses, doubled;
volatile unsigned char pressed;

int main(void) {
    P1IE |= BIT0;
    __enable_interrupt();
    for (;;) {
        if (pressed & BIT0) {
            presses = presses + 1; //~ ERROR [war] `presses`
            doubled = doubled + 2;
            pressed &= ~BIT0;
        }
        LPM3;
    }
}

#pragma vector = PORT1_VECTOR
__interrupt void port(void) {
    pressed |= P1IFG;
    P1IFG = 0;
    LPM3_EXIT;
}
