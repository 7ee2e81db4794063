//! Pulses that come at any time, in a sleep as well: what is counted in an attempt that fails has happened.
//@ policy: static
//@ config: [[interrupt]]
//@ config: function = "pulse"
//@ config: when = "enabled"
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV volatile unsigned pulses;
BROWNOUT_NV unsigned seen;

__attribute__((interrupt(PORT1_VECTOR))) void pulse(void) {
    pulses++; //~ NOTE [war] benign
    //~^ NOTE [war] benign
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
