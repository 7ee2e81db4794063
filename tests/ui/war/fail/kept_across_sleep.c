//! A sample that is called pending before it is there: the boot after a failure shows the one before once more.
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
            pending = 1; //~ ERROR [war]
            reading = sense();
        }
        show(reading);
        pending = 0;
    }
}

void __attribute__((interrupt(TIMER0_A0_VECTOR))) wake(void) { __bic_SR_register_on_exit(LPM3_bits); }
