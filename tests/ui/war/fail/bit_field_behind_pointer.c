//! A counter of a few bits behind a pointer counts twice; its neighbour is only assigned to.
struct device { unsigned ready : 1; unsigned tries : 7; };

void retry(struct device *device) {
    device->ready = 1;
    device->tries++; //~ ERROR [war] `device->tries`; confirmed; `device->tries` = 2 instead of 1
}

int tries(struct device *device) { return device->tries; }
