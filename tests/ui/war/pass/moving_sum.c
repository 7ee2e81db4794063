//! A moving sum in two copies goes up and down in the lower half of 32 bits: it does not count, so no carry is waited
//! for.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

int adc(void) BROWNOUT_INPUT_RANGE(0, 1023);

BROWNOUT_NV struct window {
    uint16_t samples[4];
    uint32_t sum;
} windows[2];
BROWNOUT_NV volatile uint8_t current;

int main(void) {
    for (;;) {
        struct window *next = &windows[current ^ 1];
        *next = windows[current];
        uint16_t sample = adc();
        next->sum = next->sum + sample - next->samples[3];
        for (int i = 3; i > 0; i--)
            next->samples[i] = next->samples[i - 1];
        next->samples[0] = sample;
        current ^= 1;
    }
}
