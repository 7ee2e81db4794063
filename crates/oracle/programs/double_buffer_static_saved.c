//! With the index in the checkpoint it works.
//@ static: harmless
#include <brownout.h>

BROWNOUT_NV int buffer[2], active;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint_with(&active, sizeof active);
        int next = active ^ 1;
        buffer[next] = buffer[active] + 1;
        active = next;
    }
}
