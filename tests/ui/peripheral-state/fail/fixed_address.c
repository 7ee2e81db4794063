//! A converter is set up through an address.
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
    ADC12CTL0 = 0x1010;             //~ ERROR [peripheral-state] `0x01A0` was written before the last checkpoint, and is lost if power fails before `adc` is used; confirmed; `0x01A0` = 0x0 instead of 0x1010
    brownout_checkpoint();
    return convert() - 7;      //~ NOTE [peripheral-state] used here
}
