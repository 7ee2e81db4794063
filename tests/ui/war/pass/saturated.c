//! After some rounds every round comes back to the same state. The program sleeps, and its handler ends that: it has done its
//! work, and waits for nothing.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned doses;

int main(void) {
    TA0CCTL0 = CCIE;
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        if (doses < 20)
            doses++;
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) wake(void) { __bic_SR_register_on_exit(LPM3_bits); }
