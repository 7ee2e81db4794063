//! A function of which data has the address may be called by somebody who is not seen.
//@ verdict: unknown
//@ reason: `reset_count` may be called at any time and uses `count`
#include <brownout.h>
BROWNOUT_NV int count;

void reset_count(void)
{
    count = 0;
}

void (*const handlers[])(void) = { reset_count };

int main(void)
{
    brownout_checkpoint();
    int now = count;
    brownout_checkpoint();
    count = now + 1;
    brownout_checkpoint();
    return 0;
}
