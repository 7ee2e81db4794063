//! A coroutine that goes on where it was: every step can be repeated, and each ends with one store to `step`.
//@ policy: restart
#include <brownout.h>
#include <stdint.h>

int adc(void) BROWNOUT_INPUT_RANGE(0, 50);

BROWNOUT_NV volatile uint8_t step;
BROWNOUT_NV volatile uint16_t sample, sum, next_sum;

int main(void) {
    switch (step) {
    case 0:
        for (;;) {
            sample = adc();
            step = 1;
    case 1:
            next_sum = sum + sample;
            step = 2;
    case 2:
            sum = next_sum;
            step = 0;
        }
    }
}
