//! A register without a name, as device headers define them: it is read again.
//@ nv: !globals
//@ config: [[input]]
//@ config: register = "0x0140"
//@ config: values = [100, 200]
//@ config: model = "most-recent"
#include <brownout.h>
#define ADC12MEM0 (*(volatile unsigned *)0x0140)
void alarm(void) BROWNOUT_OUTPUT(absolute);

int main(void) {
    unsigned level = ADC12MEM0;
    brownout_checkpoint();
    level = ADC12MEM0;
    if (level > 50)
        alarm();
    return 0;
}
