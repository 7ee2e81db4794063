//! A moving sum and its samples are changed one after the other.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdint.h>

int adc(void) BROWNOUT_INPUT_RANGE(0, 1023);

BROWNOUT_NV struct window {
    uint16_t samples[4];
    uint32_t sum;
} windows[1];

int main(void) {
    for (;;) {
        struct window *next = &windows[0];
        uint16_t sample = adc();
        next->sum = next->sum + sample - next->samples[3]; //~ ERROR [war]
        for (int i = 3; i > 0; i--)
            next->samples[i] = next->samples[i - 1]; //~ ERROR [war]
        next->samples[0] = sample;
    }
}
