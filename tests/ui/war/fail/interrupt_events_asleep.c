//! A pulse ends each sleep, and comes again when the sleep does: it is counted twice.
//@ policy: static
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV volatile unsigned pulses;
BROWNOUT_NV unsigned seen;

__attribute__((interrupt(PORT1_VECTOR))) void pulse(void) {
    pulses++; //~ ERROR [war] `pulses`
    //~^ ERROR [war] `pulses`
}

__attribute__((interrupt(TIMER0_A0_VECTOR))) void tick(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        __disable_interrupt();
        seen = pulses;
        brownout_checkpoint();
    }
}
