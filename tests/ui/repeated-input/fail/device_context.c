//! A driver keeps its state in a structure of its caller, with another structure inside.
//@ args: --static --restart-at function
//@ config: [[input]]
//@ config: function = "bus_read"
//@ config: fills = "arg2"
//@ config: length = "arg3"
#include <stdbool.h>
#include <stdint.h>

struct bus;
bool bus_read(const struct bus *bus, uint8_t reg, void *to, int bytes);

struct device {
    const struct bus *bus;
    struct {
        uint16_t t1;
        int16_t t2;
    } calibration;
    bool ready;
};

bool device_init(struct device *device) {
    uint8_t raw[4];
    device->ready = false;
    if (!bus_read(device->bus, 0x88, raw, sizeof raw)) { //~ ERROR [repeated-input] whether `device->calibration.t1` and `device->calibration.t2` are written
        return false;
    }
    device->calibration.t1 = (uint16_t)(raw[0] | raw[1] << 8);
    device->calibration.t2 = (int16_t)(raw[2] | raw[3] << 8);
    device->ready = true;
    return true;
}
