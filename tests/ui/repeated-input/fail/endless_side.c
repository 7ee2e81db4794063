//! One side waits for ever; power fails there sooner or later, and the next attempt may not get there.
//@ args: --static
#include <brownout.h>

int read_lock(void) BROWNOUT_INPUT;

int locked;
int served;

int main(void) {
    brownout_checkpoint();
    if (read_lock()) { //~ ERROR [repeated-input] whether `locked` is written
        locked = 1;
        for (;;) {
        }
    }
    served = 1;
    return 0;
}
