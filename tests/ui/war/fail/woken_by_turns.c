//! Each boot does one job and ends: a button or the timer ends its only sleep. What a button does is not in the first boot, and
//! power can fail between the two that it counts.
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
    __bis_SR_register(LPM3_bits | GIE);
    if (pressed) {
        presses = presses + 1; //~ ERROR [war] `presses`
        paid = paid + 2;
    } else {
        hours = hours + 1;
    }
    return 0;
}
