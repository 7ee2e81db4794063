//! The input decides which function is called; each writes both variables.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int opened;
int closed;

static void open(void) {
    opened = 1;
    closed = 0;
}

static void close(void) {
    closed = 1;
    opened = 0;
}

static void (*const handlers[])(void) = {open, close};

int main(void) {
    brownout_checkpoint();
    handlers[receive() & 1]();
    return 0;
}
