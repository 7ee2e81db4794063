//! The converter is switched on again after every checkpoint.
//@ config: chip = "msp430fr5969"
//@ config: [[peripheral]]
//@ config: name = "adc"
//@ config: registers = ["ADC12CTL*"]
//@ config: used-by = ["sample"]
#include <msp430.h>
#include <brownout.h>

BROWNOUT_NV int value;

static int sample(void) {
    return ADC12MEM0;
}

int main(void) {
    ADC12CTL0 = 0;
    for (int round = 0; round < 3; round++) {
        brownout_checkpoint();
        ADC12CTL0 = ADC12ON;
        value = sample();
    }
    return 0;
}
