//! A driver fills the structure of its caller in any case.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "i2c_read"
//@ config: fills = "arg1"
//@ config: length = "arg2"
#include <stdint.h>

int i2c_read(uint8_t reg, void *to, uint8_t bytes);

struct reading {
    int16_t temperature;
    uint16_t humidity;
};

int climate_read(struct reading *reading) {
    struct {
        int16_t t;
        uint16_t h;
    } raw;
    int status = i2c_read(0xf3, &raw, sizeof raw);
    if (status == 0) {
        reading->temperature = raw.t / 4;
        reading->humidity = raw.h / 8;
    } else {
        reading->temperature = 0;
        reading->humidity = 0;
    }
    return status;
}
