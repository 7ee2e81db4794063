//! A library function that others call gets its reading from a helper; without `main` each of them is an entry.
//@ args: --static
#include <brownout.h>

int bus_byte(void) BROWNOUT_INPUT;

static int last_error;

static int word(int *to) {
    int low = bus_byte();
    int high = bus_byte();
    *to = high << 8 | low;
    return low < 0 || high < 0 ? -1 : 0;
}

int sensor_value(void) {
    int value;
    if (word(&value) < 0) { //~ ERROR [repeated-input] whether `last_error` is written
        last_error = 5;
        return 0;
    }
    return value;
}

int sensor_error(void) {
    return last_error;
}
