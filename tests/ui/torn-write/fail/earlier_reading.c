//! A reading of an earlier region decides whether a mark is set, and it can be torn.
//@ set: memory.atomic-write=1
//@ config: [[input]]
//@ config: function = "mode"
//@ config: range = [0, 3]
#include <brownout.h>

int mode(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned int value, ready;

int main(void) {
    int chosen = mode();
    brownout_checkpoint();
    if (chosen == 2) {
        if (!ready) {
            value = 5;
            ready = 0x0101; //~ ERROR [torn-write] `ready`; `ready` = 1
        }
    }
    brownout_checkpoint();
    return 0;
}
