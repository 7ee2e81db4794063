//! A device register; optimised code keeps the reading in a processor register.
//@ nv: !globals
//@ flags: -O2
//@ config: [[input]]
//@ config: register = "ADC12MEM0"
//@ config: mask = 0x0fff
//@ config: values = [100, 0xf123]
//@ config: model = "most-recent"
#include <brownout.h>
extern volatile unsigned ADC12MEM0;
void alarm(void) BROWNOUT_OUTPUT(absolute);

int main(void) {
    unsigned level = ADC12MEM0;   //~ ERROR [stale-input] a reading of `ADC12MEM0` is 1 commit old
    brownout_checkpoint();
    if (level > 50)               //~ NOTE [stale-input] used here
        alarm();
    return 0;
}
