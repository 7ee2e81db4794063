//! The same statement behind two checkpoints is two findings: each has a region of its own.
//@ findings: war 2
#include <brownout.h>

int count;

static void step(void) {
    count++; //~ ERROR [war] `count`
    //~| ERROR [war] `count`
}

int main(void) {
    brownout_checkpoint();
    step();
    brownout_checkpoint();
    step();
    return 0;
}
