//! Both checkpoints save the counter.
#include <brownout.h>

int charged(void) BROWNOUT_INPUT;
BROWNOUT_NV int count;

int main(void) {
    if (charged())
        brownout_checkpoint_with(&count, sizeof count);
    else
        brownout_checkpoint_with(&count, sizeof count);
    count++;
    brownout_checkpoint();
    return 0;
}
