//! OOPSLA'19 Fig. 9(a): a calibration that is half updated stays so when the next attempt's transfer fails.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "i2c_read"
//@ config: fills = "arg1"
//@ config: length = "arg2"
#include <stdbool.h>
#include <stdint.h>

bool i2c_read(uint8_t reg, uint8_t *to, uint8_t bytes);
void i2c_select(uint8_t device);

static struct {
    int16_t x, y, z;
} calibration;
static bool powered;

void magnetometer_power(bool on) {
    powered = on;
}

void magnetometer_init(void) {
    uint8_t raw[3];
    if (!powered) {
        return;
    }
    i2c_select(0x0c);
    if (i2c_read(0x10, raw, sizeof raw)) { //~ ERROR [repeated-input] whether `calibration.x`, `calibration.y` and `calibration.z` are written
        calibration.x = (int16_t)raw[0] + 128;
        calibration.y = (int16_t)raw[1] + 128;
        calibration.z = (int16_t)raw[2] + 128;
    }
}

int16_t magnetometer_scale(int16_t x, int16_t y, int16_t z) {
    return x * calibration.x / 256 + y * calibration.y / 256 + z * calibration.z / 256;
}
