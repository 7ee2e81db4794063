//! The same, repaired: the checkpoint saves the counter.
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int count;

int main(void)
{
    for (int reading = 0; reading < 3; reading++) {
        brownout_checkpoint_with(&count, sizeof count);
        int i = count;
        printf("reading %d\n", i);
        count = i + 1;
    }
    brownout_checkpoint();
    return 0;
}
