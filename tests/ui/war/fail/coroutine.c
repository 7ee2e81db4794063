//! A coroutine that goes on where it was, in a step that cannot be repeated.
//@ policy: restart
#include <brownout.h>
#include <stdint.h>

int adc(void) BROWNOUT_INPUT_RANGE(0, 50);

BROWNOUT_NV volatile uint8_t step;
BROWNOUT_NV volatile uint16_t sample, sum;

int main(void) {
    switch (step) {
    case 0:
        for (;;) {
            sample = adc();
            step = 1;
    case 1:
            sum = sum + sample; //~ ERROR [war]
            step = 0;
        }
    }
}
