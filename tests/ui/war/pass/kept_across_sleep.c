//! A sample is taken after a sleep, kept, shown and released: the boot after a failure shows the one that was kept, and sleeps a
//! round later.
//@ policy: restart
#include <brownout.h>
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned reading, pending;
unsigned sense(void) BROWNOUT_INPUT;
void show(unsigned value) BROWNOUT_OUTPUT();

int main(void) {
    TA0CCTL0 = CCIE;
    for (;;) {
        if (!pending) {
            __bis_SR_register(LPM3_bits | GIE);
            reading = sense();
            pending = 1;
        }
        show(reading);
        pending = 0;
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) wake(void) { __bic_SR_register_on_exit(LPM3_bits); }
