//! A handler does all the work and never wakes the main program, which sleeps in a loop.
//@ policy: restart
#include <msp430.h>

__attribute__((section(".nv"))) volatile unsigned ticks;
__attribute__((section(".nv"))) volatile unsigned minutes;

__attribute__((interrupt(TIMER0_A0_VECTOR))) void tick(void) {
    if (ticks == 59) {
        ticks = 0; //~ ERROR [war] `ticks`
        minutes++;
    } else {
        ticks++;
    }
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    for (;;)
        __bis_SR_register(LPM3_bits | GIE);
}
