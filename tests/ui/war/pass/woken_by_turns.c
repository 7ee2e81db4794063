//! Each boot does one job and ends: a button or the timer ends its only sleep. What was paid follows from one counter.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned presses, paid, hours;
volatile unsigned char pressed;

void __attribute__((interrupt(TIMER0_A0_VECTOR))) timer(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

void __attribute__((interrupt(PORT1_VECTOR))) button(void) {
    pressed = 1;
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    paid = 2 * presses;
    __bis_SR_register(LPM3_bits | GIE);
    if (pressed) {
        presses = presses + 1;
        paid = 2 * presses;
    } else {
        hours = hours + 1;
    }
    return 0;
}
