//! What an endless program overwrites in every round before it reads it does not matter.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int scratch, total;
int sense(void) BROWNOUT_INPUT;

int main(void)
{
    scratch = scratch - 1;
    scratch = scratch + 1;
    for (;;) {
        brownout_checkpoint_with(&total, sizeof total);
        scratch = sense();
        total += scratch;
    }
}
