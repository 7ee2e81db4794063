// A frost guard on Zephyr: it reads a thermometer by the sensor interface and switches a heater.
#include <stdbool.h>
#include <stdint.h>

struct device;
struct sensor_value {
    int32_t val1;
    int32_t val2;
};
struct gpio_dt_spec {
    const struct device *port;
    uint8_t pin;
    uint16_t dt_flags;
};
enum sensor_channel { SENSOR_CHAN_AMBIENT_TEMP = 13 };
int sensor_sample_fetch(const struct device *dev);
int sensor_channel_get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val);
int gpio_pin_set_dt(const struct gpio_dt_spec *spec, int value);
bool device_is_ready(const struct device *dev);
int32_t k_msleep(int32_t ms);

static struct {
    int32_t last;
    uint16_t frosts;
    bool heating;
} guard;

int guard_step(const struct device *thermometer, const struct gpio_dt_spec *heater) {
    struct sensor_value value;
    if (!device_is_ready(thermometer)) {
        return -19;
    }
    int result = sensor_sample_fetch(thermometer);
    if (result == 0) {
        result = sensor_channel_get(thermometer, SENSOR_CHAN_AMBIENT_TEMP, &value);
    }
    if (result != 0) {
        return result;
    }
    guard.last = value.val1;
#ifdef MENDED
    guard.heating = value.val1 < 3;
#else
    if (value.val1 < 3) { //~ repeated-input guard.heating
        guard.heating = true;
    }
#endif
    k_msleep(10);
    return gpio_pin_set_dt(heater, guard.heating);
}

int32_t guard_last(void) { return guard.last; }
