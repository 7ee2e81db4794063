//! Made at most once, in a round of a loop with a checkpoint: the failure right after it makes it again.
#include <brownout.h>

void fire(int charge) BROWNOUT_OUTPUT(at_most_once);

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        if (i == 1)
            fire(1); //~ ERROR [output-semantics] `fire` is to be made at most once, and is made again after a power failure; confirmed
    }
    brownout_checkpoint();
    return 0;
}
