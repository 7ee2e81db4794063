//! A reading decides which of two checkpoints is taken, and only the one that the execution takes saves the counter.
#include <brownout.h>

int charged(void) BROWNOUT_INPUT;
BROWNOUT_NV int count;

int main(void) {
    if (charged())
        brownout_checkpoint_with(&count, sizeof count);
    else
        brownout_checkpoint();
    count++; //~ ERROR [war] `count`; `count` = 2; instead of 1
    //~^ NOTE [war] read here
    brownout_checkpoint();
    return 0;
}
