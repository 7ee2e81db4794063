//! Counts readings in non-volatile memory. A power failure makes it count one twice.
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV int count;

int main(void)
{
    for (int reading = 0; reading < 3; reading++) {
        brownout_checkpoint();
        int i = count;
        printf("reading %d\n", i);
        count = i + 1;
    }
    brownout_checkpoint();
    return 0;
}
