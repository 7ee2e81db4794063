//! What is called through a pointer is taken away afterwards, and the checkpoint puts the pointer back.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int calls;

static void once(void)
{
    calls = 1;
}

BROWNOUT_NV void (*handler)(void) = once;

int main(void)
{
    brownout_checkpoint_with(&handler, sizeof handler);
    handler();
    handler = 0;
    return 0;
}
