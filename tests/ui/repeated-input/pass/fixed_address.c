//! The same, with a write on every side.
//@ target: thumbv7m
//@ config: mmio = "input"
#include <brownout.h>
#include <stdint.h>
typedef struct { volatile uint32_t status, control, data; } Adc;
#define ADC1 ((Adc *)0x40012000)

BROWNOUT_NV uint32_t peaks;

int main(void) {
    brownout_checkpoint();
    ADC1->control = 1;
    while (!(ADC1->status & 4))
        ;
    if (ADC1->data > 0x80000000u)
        peaks = 1;
    else
        peaks = 0;
    brownout_checkpoint();
    return 0;
}
