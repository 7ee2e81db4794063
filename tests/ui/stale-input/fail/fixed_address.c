//! A register without a name, as device headers define them.
//@ nv: !globals
//@ config: [[input]]
//@ config: register = "0x0140"
//@ config: values = [100, 200]
//@ config: model = "most-recent"
#include <brownout.h>
#define ADC12MEM0 (*(volatile unsigned *)0x0140)
void alarm(void) BROWNOUT_OUTPUT(absolute);

int main(void) {
    unsigned level = ADC12MEM0;   //~ ERROR [stale-input] a reading of `0x0140` is 1 commit old
    brownout_checkpoint();
    if (level > 50)               //~ NOTE [stale-input] used here
        alarm();
    return 0;
}
