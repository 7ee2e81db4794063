//! All frames are saved: what calls leave on a non-volatile stack is put back.
//@ verdict: proved
//@ args: --nv stack --set power.saves="all"
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
