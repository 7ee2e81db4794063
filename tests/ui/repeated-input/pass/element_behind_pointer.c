//! The element is written whatever was read.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
struct device { short *data; };

void sample(struct device *device) { device->data[2] = sense() > 5 ? 7 : 0; }

int third(struct device *device) { return device->data[2]; }
