//! A device register decides, as configured.
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

extern volatile unsigned int ADC12MEM0;

int alarm;

int main(void) {
    brownout_checkpoint();
    if (ADC12MEM0 > 700) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
