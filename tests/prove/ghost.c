//! The test's notebook survives power failures, and is not followed.
//@ verdict: unknown
//@ reason: ghosts
#include <brownout.h>
BROWNOUT_NV int stored;
BROWNOUT_GHOST int acknowledged;
int main(void) {
    brownout_checkpoint();
    stored = 1;
    acknowledged = acknowledged + 1;
    brownout_checkpoint();
    return 0;
}
