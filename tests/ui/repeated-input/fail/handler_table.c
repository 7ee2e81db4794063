//! The input decides which function is called; each writes a variable of its own.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int opened;
int closed;

static void open(void) {
    opened = 1;
}

static void close(void) {
    closed = 1;
}

static void (*const handlers[])(void) = {open, close};

int main(void) {
    brownout_checkpoint();
    handlers[receive() & 1](); //~ ERROR [repeated-input] whether `closed` and `opened` are written
    return 0;
}
