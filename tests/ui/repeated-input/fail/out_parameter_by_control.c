//! A status comes back through a pointer that is only written when the bus fails.
//@ args: --static
#include <brownout.h>

int bus_fails(void) BROWNOUT_INPUT;

int broken;

static int transfer(int *error) {
    if (bus_fails()) {
        *error = 1;
        return -1;
    }
    return 0;
}

int main(void) {
    brownout_checkpoint();
    int error = 0;
    transfer(&error);
    if (error) { //~ ERROR [repeated-input] whether `broken` is written
        broken = 1;
    }
    return 0;
}
