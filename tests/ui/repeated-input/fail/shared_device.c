//! Two functions work on the same device, as the configuration says.
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
    if (sense() < device->threshold) //~ ERROR [repeated-input] `device->dry`; confirmed; `board.dry` = 1 instead of 0
        device->dry = 1;
}
