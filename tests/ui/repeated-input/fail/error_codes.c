//! A driver without `main` that gives up at the first error: what it has not stored yet keeps the value of another attempt.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "spi_transfer"
//@ config: fills = "arg1"
//@ config: length = "2"
#include <stdint.h>

#define ERROR_BUS -1
#define ERROR_RANGE -2

int spi_transfer(uint8_t command, uint8_t *reply);

static int16_t humidity;
static int16_t valid;

int humidity_update(void) {
    uint8_t reply[2];
    int status;

    status = spi_transfer(0xe5, reply);
    if (status < 0) { //~ ERROR [repeated-input] whether `humidity` and `valid` are written
        return ERROR_BUS;
    }
    int16_t raw = (int16_t)((reply[0] << 8 | reply[1]) >> 2);
    if (raw > 1000) { //~ ERROR [repeated-input] whether `humidity` and `valid` are written
        return ERROR_RANGE;
    }
    humidity = raw;
    valid = 1;
    return 0;
}

int humidity_percent(void) {
    return valid ? humidity / 10 : -1;
}
