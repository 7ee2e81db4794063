//! More words than loops are unrolled for, filled and then added up in place.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int samples[90], flags;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    brownout_checkpoint();
    for (int i = 0; i < 90; i++)
        samples[i] = sense();
    for (int i = 1; i < 90; i++)
        samples[i] += samples[i - 1];
    flags |= 2;
    brownout_checkpoint();
    return 0;
}
