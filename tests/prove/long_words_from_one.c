//! The twin of `long_words`: the first word is not filled, and changed in place.
//@ verdict: counterexample
//@ finding: war samples[0]
#include <brownout.h>
BROWNOUT_NV int samples[90], flags;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    samples[0] = 1;
    brownout_checkpoint();
    for (int i = 1; i < 90; i++)
        samples[i] = sense();
    for (int i = 0; i < 90; i++)
        samples[i] += 3;
    flags |= 2;
    brownout_checkpoint();
    return 0;
}
