//! A thermopile driver: values are taken from a structure that is stored as a whole, with a mark whether it is valid.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "sensor_register"
#include <stdbool.h>
#include <stdint.h>

uint16_t sensor_register(uint8_t reg);

#define READY 0x4000

static struct {
    uint16_t object;
    uint16_t local;
    bool valid;
} reading;

bool thermopile_read(void) {
    bool ready = sensor_register(2) & READY;
    reading.object = ready ? sensor_register(0) : 0;
    reading.local = ready ? sensor_register(1) : 0;
    reading.valid = ready;
    return reading.valid;
}

uint16_t thermopile_object(void) {
    return reading.valid ? reading.object : reading.local;
}
