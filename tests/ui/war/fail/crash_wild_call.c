//! The handler is called once, then taken away.
#include <brownout.h>

int calls;

static void once(void) {
    calls = 1;
}

void (*handler)(void) = once;

int main(void) {
    brownout_checkpoint();
    handler(); //~ NOTE [war] read here
    handler = 0; //~ ERROR [war] `handler`; crash wild-jump
    return 0;
}
