//! A driver reads through a pointer that its user sets; what may be stored is reset first.
//@ args: --static --restart-at function
#include <stdbool.h>
#include <stdint.h>

struct device {
    int8_t (*read)(uint8_t reg, uint8_t *to, uint32_t bytes, void *bus);
    void (*delay_us)(uint32_t time, void *bus);
    void *bus;
    uint16_t calibration;
    bool ready;
};

bool device_init(struct device *device) {
    uint8_t raw[2];
    device->ready = false;
    device->calibration = 0;
    device->delay_us(1000, device->bus);
    if (device->read(0x88, raw, sizeof raw, device->bus) == 0 && raw[0] < 100) {
        device->calibration = (uint16_t)(raw[0] | raw[1] << 8);
        device->ready = true;
    }
    return device->ready;
}
