//! Everything happens in a handler, and nothing ends the sleep.
//@ policy: restart
#include <msp430.h>

int events __attribute__((section(".nv")));
int sum __attribute__((section(".nv")));

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    events++; //~ ERROR [war] `events`
    sum += events;
}

int main(void) {
    __bis_SR_register(LPM3_bits | GIE);
    return 0;
}
