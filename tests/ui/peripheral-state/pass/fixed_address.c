//! A converter is set up through an address, after the checkpoint as well.
//@ nv: !globals
//@ config: [[input]]
//@ config: function = "convert"
//@ config: constant = 7
//@ config: [[peripheral]]
//@ config: name = "adc"
//@ config: registers = ["0x01A0"]
//@ config: used-by = ["convert"]
#include <brownout.h>
#define ADC12CTL0 (*(volatile unsigned *)0x01a0)
int convert(void);

int main(void) {
    ADC12CTL0 = 0x1010;
    brownout_checkpoint();
    ADC12CTL0 = 0x1010;
    return convert() - 7;
}
