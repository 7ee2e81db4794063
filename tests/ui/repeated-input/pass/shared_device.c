//! The same, with the variable written on every side.
//@ config: [[harness]]
//@ config: function = "setup"
//@ config: args = ["&board"]
//@ config: [[harness]]
//@ config: function = "poll"
//@ config: args = ["&board"]
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
struct device { int threshold; char dry; };
struct device board;

void setup(struct device *device) {
    device->threshold = 1000;
}

void poll(struct device *device) {
    device->dry = sense() < device->threshold;
}
