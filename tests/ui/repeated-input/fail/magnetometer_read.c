//! OOPSLA'19 Fig. 9(b): three checks of what the bus says decide whether the caller's buffer is written.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "i2c_read"
//@ config: fills = "arg1"
//@ config: length = "arg2"
#include <stdbool.h>
#include <stdint.h>

bool i2c_read(uint8_t reg, uint8_t *to, uint8_t bytes);

#define READY 0x01
#define OVERFLOW 0x08

bool magnetometer_read(int16_t data[3]) {
    uint8_t status;
    uint8_t raw[6];
    if (!i2c_read(0x02, &status, sizeof status)) { //~ ERROR [repeated-input] whether `data[0..3]` is written
        return false;
    }
    if (!(status & READY)) { //~ ERROR [repeated-input] whether `data[0..3]` is written
        return false;
    }
    bool good = i2c_read(0x03, raw, sizeof raw);
    if (status & OVERFLOW) { //~ ERROR [repeated-input] whether `data[0..3]` is written
        return false;
    }
    if (good) { //~ ERROR [repeated-input] whether `data[0..3]` is written
        data[0] = (int16_t)(raw[0] | raw[1] << 8);
        data[1] = (int16_t)(raw[2] | raw[3] << 8);
        data[2] = (int16_t)(raw[4] | raw[5] << 8);
    }
    return good;
}
