//! A call leaves its return address where the next attempt still wants another one. No variable is in non-volatile memory.
//@ verdict: counterexample
//@ args: --nv stack
#include <brownout.h>
int out;

static __attribute__((noinline)) void first(void)
{
    brownout_checkpoint();
    out = 1;
}

static __attribute__((noinline)) void second(void)
{
    out = 2;
}

int main(void)
{
    first();
    second();
    return 0;
}
