//! The address of the handler leaves the code: whoever gets it may call it.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void on_event(void (*handler)(void));

static int armed, level;

static void handle(void) {
    int value = sense();
    if (value > 10) { //~ ERROR [repeated-input] `armed`
        armed = 1;
        level = value;
    }
}

void set_up(void) {
    on_event(handle);
}

int state(void) {
    return armed + level;
}
