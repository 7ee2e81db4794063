//! One task sets the converter up, another one uses it: a reboot begins with the second one.
//@ config: chip = "msp430fr5969"
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["prepare", "sample"]
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV unsigned level;

void sample(void) {
    level = ADC12MEM0;    //~ NOTE [peripheral-state] used here
}

void prepare(void) {
    ADC12CTL0 = ADC12SHT0_2 | ADC12ON;    //~ ERROR [peripheral-state] `ADC12CTL0`
    ADC12CTL1 = ADC12SHP;    //~ ERROR [peripheral-state] `ADC12CTL1`
    sample();
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    ADC12MCTL0 = ADC12INCH_2;
    prepare();
    return 0;
}
