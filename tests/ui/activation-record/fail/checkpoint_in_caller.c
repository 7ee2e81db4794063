//! The checkpoint is in the callee.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    return 0;
}
