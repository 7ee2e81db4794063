//! What is called through a pointer is taken away afterwards: the next attempt has nothing to call. The proof knows that
//! without emulation, whose finding is not looked for here.
//@ verdict: unknown
//@ reason: the next attempt can fault
//@ args: --skip war
#include <brownout.h>
BROWNOUT_NV int calls;

static void once(void)
{
    calls = 1;
}

BROWNOUT_NV void (*handler)(void) = once;

int main(void)
{
    brownout_checkpoint();
    handler();
    handler = 0;
    return 0;
}
