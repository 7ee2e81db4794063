//! The device stops before `f2` is called, or has committed.
//@ nv: stack
//@ policy: conditional
//@ depth: 100
#include <brownout.h>

int out, spin;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
}

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    for (spin = 0; spin < 200; spin++)
        ;
    brownout_checkpoint();
    f2();
    return 0;
}
