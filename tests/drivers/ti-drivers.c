// A battery gauge on the ADC driver of TI's SDKs.
#include <stdbool.h>
#include <stdint.h>

typedef struct ADC_Config_ *ADC_Handle;
typedef struct ADC_Params_ ADC_Params;
int_fast16_t ADC_convert(ADC_Handle handle, uint16_t *value);
void ADC_init(void);
ADC_Handle ADC_open(uint_least8_t index, ADC_Params *params);
void ADC_close(ADC_Handle handle);
void GPIO_write(uint_least8_t index, unsigned int value);

static struct {
    uint16_t reading;
    bool low;
} battery;

int battery_update(void) {
    uint16_t value;
    ADC_init();
    ADC_Handle adc = ADC_open(0, 0);
    if (adc == 0) {
        return -1;
    }
    int_fast16_t result = ADC_convert(adc, &value);
    ADC_close(adc);
    if (result != 0) {
        return -1;
    }
    battery.reading = value;
#ifdef MENDED
    battery.low = value < 1800;
#else
    if (value < 1800) { //~ repeated-input battery.low
        battery.low = true;
    }
#endif
    GPIO_write(3, battery.low);
    return 0;
}

bool battery_low(void) { return battery.low; }
