//! Everything happens in a handler, in one write.
//@ policy: restart
#include <msp430.h>

int events __attribute__((section(".nv")));

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    events++;
}

int main(void) {
    __bis_SR_register(LPM3_bits | GIE);
    return 0;
}
