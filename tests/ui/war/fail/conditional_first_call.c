//! Once a checkpoint was called, one has committed: the program does not start again. From the last call on it may.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

BROWNOUT_NV int boots;
BROWNOUT_NV int rounds;

int main(void) {
    int before = boots;
    brownout_checkpoint();
    boots = before + 1;
    int done = rounds; //~ NOTE [war] read here
    rounds = done + 1; //~ ERROR [war] `rounds` is read, then overwritten before the next checkpoint; confirmed
    brownout_checkpoint();
    return boots;
}
