//! A function that tells others of a reading gives nothing back.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
struct driver { void (*data_ready)(struct driver *driver, int value); int last, high; };

void poll(struct driver *driver) {
    driver->last = sense();
    driver->high = driver->last > 5;
    driver->data_ready(driver, driver->last);
}
