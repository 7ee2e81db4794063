//! A library calls a function of its user, unknown here, when the sensor says so, and always notes what it said.
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
    called = level > 7;
    if (level > 7) {
        user(level);
    }
}

int was_called(void) {
    return called;
}
