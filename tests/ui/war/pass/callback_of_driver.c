//! The same: the callback changes one member in one step.
//@ policy: restart
//@ config: ignore = ["device_register", "wait_for_event"]
#include <brownout.h>

struct device;
struct driver {
    const char *name;
    void (*ready)(struct device *);
};
struct device {
    const struct driver *driver;
    unsigned samples;
    unsigned sum;
};
void device_register(struct device *device);
void wait_for_event(void);

BROWNOUT_NV struct device sensor;

static void on_ready(struct device *device) {
    device->samples++;
}

static const struct driver driver = {"sensor", on_ready};

static void attach(struct device *device, const struct driver *driver) {
    device->driver = driver;
    device_register(device);
}

int main(void) {
    attach(&sensor, &driver);
    for (;;)
        wait_for_event();
}
