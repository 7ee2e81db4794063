//! A checkpoint in between.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
}

static void f2(void) {
    out = 2;
}

static void (*handler)(void) = f2;

int main(void) {
    f1();
    brownout_checkpoint();
    handler();
    return 0;
}
