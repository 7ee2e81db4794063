//! The converter is set up after the checkpoint.
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
    brownout_checkpoint();
    ADC12CTL0 = 0x10;
    ADC12CTL1 = 0x20;
    send(sample());
    brownout_checkpoint();
    return 0;
}
