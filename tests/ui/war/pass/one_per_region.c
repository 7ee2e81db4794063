//! Both checkpoints save the variable.
//@ findings: war 0
#include <brownout.h>

int count;

static void step(void) {
    count++;
}

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    step();
    brownout_checkpoint_with(&count, sizeof count);
    step();
    return 0;
}
