//! A driver fills the structure of its caller, unless the bus fails.
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
    if (status == 0) { //~ ERROR [repeated-input] whether `reading->humidity` and `reading->temperature` are written
        reading->temperature = raw.t / 4;
        reading->humidity = raw.h / 8;
    }
    return status;
}
