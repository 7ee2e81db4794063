//! A tick counts two things that belong together, and leaves the sleep as it is: power can fail between them.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned uptime, credit, pulses;

int main(void) {
    P1IE |= BIT2;
    TA0CCTL0 = CCIE;
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        pulses += 2;
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    uptime++; //~ ERROR [war]
    credit++;
}

void __attribute__((interrupt(PORT1_VECTOR))) pulse(void) { __bic_SR_register_on_exit(LPM3_bits); }
