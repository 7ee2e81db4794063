//! A function that tells others of a reading gives nothing back; what is written before it is decided by the input.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
struct driver { void (*data_ready)(struct driver *driver, int value); int last, high; };

void poll(struct driver *driver) {
    driver->last = sense();
    if (driver->last > 5) //~ ERROR [repeated-input] `driver->high`
        driver->high = 1;
    driver->data_ready(driver, driver->last);
}
