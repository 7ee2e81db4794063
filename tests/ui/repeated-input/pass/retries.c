//! A loop is left when the bus answers; how often it ran is the error that is noted.
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
    error = tries == 3;
    return 0;
}
