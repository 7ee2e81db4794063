//! A library calls a function of its user, unknown here, and decides on the sensor whether it notes that.
//@ args: --static --restart-at function
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

static void (*user)(int);
static int called;

void set_user(void (*function)(int)) {
    user = function;
}

void poll(void) {
    int level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `called` is written
        user(level);
        called = 1;
    }
}

int was_called(void) {
    return called;
}
