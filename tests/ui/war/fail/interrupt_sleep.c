//! A handler that comes once per sleep, and a power failure after it: the sample is counted twice.
#include <msp430.h>

int samples __attribute__((section(".nv")));
int shown __attribute__((section(".nv")));
void checkpoint(void);

void __attribute__((interrupt(ADC12_VECTOR))) converted(void) {
    samples++; //~ ERROR [war] `samples`
               //~^ NOTE [war] read here
    __bic_SR_register_on_exit(LPM0_bits);
}

int main(void) {
    while (1) {
        checkpoint();
        __bis_SR_register(LPM0_bits | GIE);
        shown = 1;
    }
}
