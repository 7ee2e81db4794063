//! A device register that is a fixed address decides.
//@ args: --static
//@ config: mmio = "input"
#include <brownout.h>

#define ADC_RESULT (*(volatile unsigned int *)0x0140)
#define PORT_OUT (*(volatile unsigned int *)0x0202)

int alarm;

int main(void) {
    brownout_checkpoint();
    unsigned int level = ADC_RESULT;
    if (level > 700) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
