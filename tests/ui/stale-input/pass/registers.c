//! The register is read again; the bits outside of the mask are the device's.
//@ nv: !globals
//@ flags: -O2
//@ config: [[input]]
//@ config: register = "ADC12MEM0"
//@ config: mask = 0x0fff
//@ config: values = [100, 0xf123]
//@ config: model = "most-recent"
#include <brownout.h>
#include <assert.h>
extern volatile unsigned ADC12MEM0;
void alarm(void) BROWNOUT_OUTPUT(absolute);

int main(void) {
    unsigned level = ADC12MEM0;
    assert(level == 100);
    brownout_checkpoint();
    level = ADC12MEM0;
    if (level != 0x123)
        alarm();
    return 0;
}
