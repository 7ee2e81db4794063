//! A macro that returns on errors, as drivers use it; everything is stored at the end or invalidated at the start.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "i2c_read_register"
#include <stdint.h>

int i2c_read_register(uint8_t reg);

#define CHECK(value)                                                                               \
    do {                                                                                           \
        if ((value) < 0) {                                                                         \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

static int16_t gain;
static int16_t offset;

int light_configure(void) {
    gain = offset = 0;
    int first = i2c_read_register(0x80);
    CHECK(first);
    gain = (int16_t)first;
    int second = i2c_read_register(0x81);
    CHECK(second);
    offset = (int16_t)second;
    return 0;
}

int light_lux(int raw) {
    return raw * gain + offset;
}
