//! One side waits for ever; what it has written before is written on the other side too.
//@ args: --static
#include <brownout.h>

int read_lock(void) BROWNOUT_INPUT;

int locked;
int served;

int main(void) {
    brownout_checkpoint();
    if (read_lock()) {
        locked = 1;
        for (;;) {
        }
    }
    locked = 0;
    served = 1;
    return 0;
}
