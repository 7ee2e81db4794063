//! A timer wakes the main loop, which keeps a sample until it is sent, and says that there is one before it is there: the next
//! wake-up sends the one before once more.
//@ policy: restart
#include <brownout.h>
#include <msp430.h>

__attribute__((section(".persistent"))) volatile unsigned sample, is_kept;

int measure(void) BROWNOUT_INPUT_RANGE(0, 99);
void send(unsigned value) BROWNOUT_OUTPUT();

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        if (!is_kept) {
            is_kept = 1; //~ ERROR [war] `is_kept`
            sample = measure();
        }
        send(sample);
        is_kept = 0;
    }
}
