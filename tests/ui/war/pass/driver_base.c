//! The same, with a checkpoint between the read and the write.
//@ config: [[input]]
//@ config: register = "0x0866"
//@ config: values = [7]
#include <brownout.h>
#include <stdint.h>
#define HWREG16(address) (*((volatile uint16_t *)((uint16_t)(address))))
#define ADC_BASE 0x0800
#define OFS_CTL0 0x0000
#define OFS_MEM0 0x0060

BROWNOUT_NV uint16_t samples;

static void adc_enable(uint16_t base) {
    HWREG16(base + OFS_CTL0) |= 0x0010;
}

static uint16_t adc_result(uint16_t base, uint8_t index) {
    return HWREG16(base + OFS_MEM0 + 2 * index);
}

int main(void) {
    adc_enable(ADC_BASE);
    brownout_checkpoint();
    uint16_t value = adc_result(ADC_BASE, 3);
    uint16_t before = samples;
    brownout_checkpoint();
    samples = before + 1 + value;
    brownout_checkpoint();
    return HWREG16(ADC_BASE) != 0x10;
}
