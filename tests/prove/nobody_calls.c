//! Functions that nobody calls do not run, and that is listed.
//@ verdict: proved
//@ assumes: nobody calls `reset_count`
#include <brownout.h>
BROWNOUT_NV int count, result;
int sense(void) BROWNOUT_INPUT;

void reset_count(void)
{
    count = 0;
}

int main(void)
{
    brownout_checkpoint();
    int now = count;
    brownout_checkpoint();
    count = now + 1;
    brownout_checkpoint();
    result = sense();
    return 0;
}
