//! A state machine calls the wrong state after a failure.
#include <brownout.h>

int last;

static void idle(void) {
    last = 1;
}

static void active(void) {
    last = 2;
}

void (*state)(void) = idle;

int main(void) {
    brownout_checkpoint();
    state(); //~ NOTE [war] read here
    state = active; //~ ERROR [war] `state`; `last` = 2 instead of 1
    return 0;
}
