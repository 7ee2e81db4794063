// A vibration logger with DriverLib on an MSP430: the log is in FRAM, and each boot begins at main.
#include <stdbool.h>
#include <stdint.h>

uint16_t ADC12_B_getResults(uint16_t baseAddress, uint8_t memoryBufferIndex);
void ADC12_B_startConversion(uint16_t baseAddress, uint16_t startingMemoryBufferIndex, uint8_t conversionSequenceModeSelect);
bool ADC12_B_isBusy(uint16_t baseAddress);
void GPIO_setOutputHighOnPin(uint8_t selectedPort, uint16_t selectedPins);
void GPIO_setOutputLowOnPin(uint8_t selectedPort, uint16_t selectedPins);
void PMM_unlockLPM5(void);
void WDT_A_hold(uint16_t baseAddress);

#define ADC 0x0800

struct log {
    uint8_t strong;
    uint8_t shocks;
};

#ifdef MENDED
__attribute__((section(".persistent"))) static struct log logs[2];
__attribute__((section(".persistent"))) static uint8_t current;
#else
__attribute__((section(".persistent"))) static struct log shock_log;
#endif

static uint16_t sample(void) {
    ADC12_B_startConversion(ADC, 0, 0);
    while (ADC12_B_isBusy(ADC)) {
    }
    return ADC12_B_getResults(ADC, 0);
}

static void note(uint16_t value) {
#ifdef MENDED
    struct log next = logs[current & 1];
    next.strong = (next.strong + (value > 2000)) & 15;
    next.shocks = (next.shocks + 1) & 15;
    logs[1 - (current & 1)] = next;
    current = 1 - (current & 1);
#else
    shock_log.strong = (shock_log.strong + (value > 2000)) & 15; //~ war shock_log.strong
    shock_log.shocks = (shock_log.shocks + 1) & 15;
#endif
}

int main(void) {
    WDT_A_hold(0x015c);
    PMM_unlockLPM5();
    for (;;) {
        uint16_t value = sample();
        GPIO_setOutputHighOnPin(1, 1);
        GPIO_setOutputLowOnPin(1, 1);
        note(value);
    }
}
