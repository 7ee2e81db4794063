//! One register that a peripheral of the configuration and the chip both know is one defect.
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
    ADC12CTL0 = ADC12ON;    //~ ERROR [peripheral-state] `ADC12CTL0` was written before the last checkpoint, and is lost if power fails before `adc` is used; confirmed
    for (int round = 0; round < 3; round++) {
        brownout_checkpoint();
        value = sample();    //~ NOTE [peripheral-state] used here
    }
    return 0;
}
