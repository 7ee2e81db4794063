//! The task that uses the converter sets it up; what main sets up is set up by every boot.
//@ config: chip = "msp430fr5969"
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["prepare", "sample"]
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV unsigned level;

void sample(void) {
    ADC12CTL0 = ADC12SHT0_2 | ADC12ON;
    ADC12CTL1 = ADC12SHP;
    level = ADC12MEM0;
}

void prepare(void) {
    sample();
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    ADC12MCTL0 = ADC12INCH_2;
    prepare();
    return 0;
}
