//! A device has its functions in a structure; the status that one of them reads decides.
//@ args: --static
#include <brownout.h>

int bus_word(int reg) BROWNOUT_INPUT;

struct device;

struct operations {
    int (*status)(struct device *device);
    void (*note)(struct device *device, int value);
};

struct device {
    const struct operations *operations;
    int reg;
    int noted;
};

static int status(struct device *device) {
    return bus_word(device->reg) & 0x80;
}

static void note(struct device *device, int value) {
    device->noted = value;
}

static const struct operations operations = {status, note};
static struct device device = {&operations, 3, 0};

static void poll(struct device *device) {
    if (device->operations->status(device)) { //~ ERROR [repeated-input] whether `device.noted` is written
        device->operations->note(device, 1);
    }
}

int main(void) {
    brownout_checkpoint();
    poll(&device);
    return device.noted;
}
