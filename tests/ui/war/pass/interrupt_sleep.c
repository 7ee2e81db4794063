//! A handler that comes once per sleep tells the main program, which counts after a commit.
#include <msp430.h>

int samples __attribute__((section(".nv")));
volatile int ready;
void checkpoint(void);

void __attribute__((interrupt(ADC12_VECTOR))) converted(void) {
    ready = 1;
    __bic_SR_register_on_exit(LPM0_bits);
}

int main(void) {
    while (1) {
        __bis_SR_register(LPM0_bits | GIE);
        if (ready) {
            ready = 0;
            int next = samples + 1;
            checkpoint();
            samples = next;
        }
        checkpoint();
    }
}
