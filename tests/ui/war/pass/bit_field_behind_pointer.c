//! Assigning to a field reads nothing of the byte that it shares.
struct device { unsigned ready : 1; unsigned tries : 7; };

void retry(struct device *device) {
    device->ready = 1;
    device->tries = 3;
}

int tries(struct device *device) { return device->tries; }
