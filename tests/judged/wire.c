// A humidity sensor on one wire: forty bits told apart by how long they last, at most one reading in two seconds.
#include <stdbool.h>
#include <stdint.h>

void pin_output(uint8_t pin, bool level);
void pin_input(uint8_t pin);
bool pin_read(uint8_t pin);
uint32_t micros(void);
uint32_t millis(void);
void delay_us(uint16_t us);

enum { OK = 0, TIMEOUT = -1, CHECKSUM = -2, TOO_SOON = -3 };

typedef struct {
    uint8_t pin;
    uint8_t bytes[5];
    uint32_t last_read;
    bool have_read;
    int16_t temperature;
    uint16_t humidity;
    uint16_t failures;
    int last_error;
} wire_t;

void wire_begin(wire_t *dev, uint8_t pin) {
    dev->pin = pin;
    dev->have_read = false;
    dev->failures = 0;
    dev->last_error = OK;
    pin_input(pin);
}

static int32_t pulse(uint8_t pin, bool level) {
    uint32_t start = micros();
    while (pin_read(pin) == level) {
        if (micros() - start > 100) {
            return -1;
        }
    }
    return (int32_t)(micros() - start);
}

static int transfer(wire_t *dev) {
    for (uint8_t i = 0; i < 5; i++) {
        dev->bytes[i] = 0;
    }
    pin_output(dev->pin, false);
    delay_us(1100);
    pin_input(dev->pin);
    delay_us(30);
    if (pulse(dev->pin, false) < 0 || pulse(dev->pin, true) < 0) {
        return TIMEOUT;
    }
    for (uint8_t bit = 0; bit < 40; bit++) {
        int32_t low = pulse(dev->pin, false);
        int32_t high = pulse(dev->pin, true);
        if (low < 0 || high < 0) {
            return TIMEOUT;
        }
        dev->bytes[bit / 8] <<= 1;
        if (high > low) {
            dev->bytes[bit / 8] |= 1;
        }
    }
    uint8_t sum = (uint8_t)(dev->bytes[0] + dev->bytes[1] + dev->bytes[2] + dev->bytes[3]);
    return sum == dev->bytes[4] ? OK : CHECKSUM;
}

int wire_read(wire_t *dev, int16_t *temperature, uint16_t *humidity) {
    uint32_t now = millis();
    if (dev->have_read && now - dev->last_read < 2000) { //~ repeated-input dev->bytes[0..5]
        *temperature = dev->temperature;
        *humidity = dev->humidity;
        return dev->last_error;
    }
    dev->last_read = now; //~ war dev->last_read
    dev->have_read = true; //~ war dev->have_read
    dev->last_error = transfer(dev);
    if (dev->last_error != OK) { //~ repeated-input dev->failures
        dev->failures++; //~ war dev->failures
        return dev->last_error;
    }
    dev->humidity = (uint16_t)(dev->bytes[0] << 8 | dev->bytes[1]);
    dev->temperature = (int16_t)((dev->bytes[2] & 0x7F) << 8 | dev->bytes[3]);
    if (dev->bytes[2] & 0x80) {
        dev->temperature = (int16_t)-dev->temperature;
    }
    *temperature = dev->temperature;
    *humidity = dev->humidity;
    return OK;
}

bool wire_is_damp(wire_t *dev) {
    int16_t temperature;
    uint16_t humidity;
    if (wire_read(dev, &temperature, &humidity) != OK) {
        return false;
    }
    return humidity > 800;
}
