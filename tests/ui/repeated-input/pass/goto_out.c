//! A driver that leaves through one label, where the result is stored, good or bad.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "spi_read"
//@ config: fills = "arg0"
//@ config: length = "arg1"
#include <stdint.h>

int spi_read(uint8_t *to, int bytes);
void chip_select(int on);

static uint16_t lux;

int light_read(void) {
    uint8_t raw[2] = {0, 0};
    int result = -1;
    chip_select(1);
    if (spi_read(raw, 2) != 0) {
        goto out;
    }
    if (raw[0] & 0x80) {
        goto out;
    }
    result = 0;
out:
    lux = result == 0 ? (uint16_t)(raw[0] << 8 | raw[1]) : 0;
    chip_select(0);
    return result;
}

uint16_t light_last(void) {
    return lux;
}
