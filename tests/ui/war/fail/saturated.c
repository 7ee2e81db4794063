//! After some rounds every round comes back to the same state, but what was counted by then does not fit.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned doses, given;

int main(void) {
    TA0CCTL0 = CCIE;
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        if (doses < 20) {
            doses++; //~ ERROR [war]
            given += 5;
        }
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) wake(void) { __bic_SR_register_on_exit(LPM3_bits); }
