//! A thermopile driver: the ready bit of the status decides whether both values are stored, one by one.
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
    if (sensor_register(2) & READY) { //~ ERROR [repeated-input] whether `reading.local`, `reading.object` and `reading.valid` are written
        reading.object = sensor_register(0);
        reading.local = sensor_register(1);
        reading.valid = true;
    }
    return reading.valid;
}

uint16_t thermopile_object(void) {
    return reading.valid ? reading.object : reading.local;
}
