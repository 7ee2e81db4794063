//! A status comes back through a pointer that is only written when the bus fails; it is stored.
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
    broken = error;
    return 0;
}
