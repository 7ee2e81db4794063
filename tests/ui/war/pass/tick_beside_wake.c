//! A tick counts the time, and leaves the sleep as it is; a pulse ends it, and is counted. The two are not one piece of work: a
//! tick before a failure has happened, and need not come again.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned uptime, pulses;

int main(void) {
    P1IE |= BIT2;
    TA0CCTL0 = CCIE;
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        pulses += 2;
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) { uptime++; }

void __attribute__((interrupt(PORT1_VECTOR))) pulse(void) { __bic_SR_register_on_exit(LPM3_bits); }
