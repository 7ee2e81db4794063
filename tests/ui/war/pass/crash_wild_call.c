//! Taken away in the next region.
#include <brownout.h>

int calls;

static void once(void) {
    calls = 1;
}

void (*handler)(void) = once;

int main(void) {
    brownout_checkpoint();
    handler();
    brownout_checkpoint();
    handler = 0;
    return 0;
}
