//! The checkpoint between the return and the call may not commit.
//@ nv: stack
//@ policy: conditional
//@ depth: 100
#include <brownout.h>

int out, spin;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    brownout_checkpoint();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    return 0;
}
