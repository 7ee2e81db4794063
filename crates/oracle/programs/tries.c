//! Tries are counted on purpose, and only where something is tried: the second attempt has nothing
//! left to try.
//@ static: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_INTERMITTENCE_AWARE BROWNOUT_NV int tries;
BROWNOUT_NV int done;

int main(void) {
    brownout_checkpoint();
    if (!done) {
        tries = tries + 1;
        send(4);
        done = 1;
    }
    brownout_checkpoint();
    return 0;
}
