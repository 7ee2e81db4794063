//! The mark is one byte.
//@ set: memory.atomic-write=1
//@ config: [[input]]
//@ config: function = "mode"
//@ config: range = [0, 3]
#include <brownout.h>

int mode(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned int value;
BROWNOUT_NV unsigned char ready;

int main(void) {
    int chosen = mode();
    brownout_checkpoint();
    if (chosen == 2) {
        if (!ready) {
            value = 5;
            ready = 0x11;
        }
    }
    brownout_checkpoint();
    return 0;
}
