//! One variable says it all.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".nv"))) volatile unsigned ticks;

__attribute__((interrupt(TIMER0_A0_VECTOR))) void tick(void) {
    ticks++;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    for (;;)
        __bis_SR_register(LPM3_bits | GIE);
}
