//! The converter is set up before the checkpoint; a restore does not set it up again.
//@ nv: !globals
//@ config: [[peripheral]]
//@ config: name = "adc"
//@ config: registers = ["ADC12CTL*"]
//@ config: used-by = ["sample"]
//@ config: [[input]]
//@ config: register = "ADC12MEM0"
//@ config: range = [0, 4095]
#include <brownout.h>
extern volatile unsigned ADC12CTL0, ADC12CTL1, ADC12MEM0;
void send(int) BROWNOUT_OUTPUT(absolute);

static int sample(void) {
    return ADC12MEM0;
}

int main(void) {
    ADC12CTL0 = 0x10;        //~ ERROR [peripheral-state] `ADC12CTL0` was written before the last checkpoint, and is lost if power fails before `adc` is used; confirmed; `ADC12CTL0` = 0x0 instead of 0x10
    brownout_checkpoint();
    ADC12CTL1 = 0x20;
    send(sample());          //~ NOTE [peripheral-state] used here
    return 0;
}
