//! The handler writes the same variables whatever it reads.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void on_event(void (*handler)(void));

static int armed, level;

static void handle(void) {
    int value = sense();
    armed = value > 10;
    level = value;
}

void set_up(void) {
    on_event(handle);
}

int state(void) {
    return armed + level;
}
