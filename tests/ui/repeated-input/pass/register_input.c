//! A device register decides what is stored.
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

extern volatile unsigned int ADC12MEM0;

int alarm;

int main(void) {
    brownout_checkpoint();
    alarm = ADC12MEM0 > 700;
    return 0;
}
