//! A loop is left when the bus answers; how often it ran decides whether an error is noted.
//@ args: --static
#include <brownout.h>

int bus_answers(void) BROWNOUT_INPUT;

int error;

int main(void) {
    brownout_checkpoint();
    int tries;
    for (tries = 0; tries < 3; tries++) {
        if (bus_answers()) {
            break;
        }
    }
    if (tries == 3) { //~ ERROR [repeated-input] whether `error` is written
        error = 1;
    }
    return 0;
}
