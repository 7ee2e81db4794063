//! A checkpoint between the call and the transition.
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
    state();
    brownout_checkpoint();
    state = active;
    return 0;
}
