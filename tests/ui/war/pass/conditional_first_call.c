//! What was read before the first checkpoint is not read again after it.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

BROWNOUT_NV int boots;
BROWNOUT_NV int rounds;

int main(void) {
    int before = boots;
    int done = rounds;
    brownout_checkpoint();
    boots = before + 1;
    rounds = done + 1;
    brownout_checkpoint();
    return boots;
}
