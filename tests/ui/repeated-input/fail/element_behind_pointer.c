//! Elements behind a pointer in a structure are named by their index, wherever they are told.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
struct device { short *data; };

void sample(struct device *device) {
    if (sense() > 5) //~ ERROR [repeated-input] `device->data[2]`; confirmed; `device->data[2]` = 7 instead of 0
        device->data[2] = 7;
}

int third(struct device *device) { return device->data[2]; }
