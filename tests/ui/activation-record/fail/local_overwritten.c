//! A local of `f1` is read, then a local of `f2` lies where it was.
//@ nv: stack
#include <brownout.h>

int out;
BROWNOUT_NV int result;

static void f1(void) {
    int a = 5;
    brownout_checkpoint();
    out = a; //~ NOTE [activation-record] used here
} //~ NOTE [activation-record] used here

static void f2(void) {
    int b = 9; //~ NOTE [activation-record] `a`; benign
    out = b;
}

int main(void) {
    f1();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    result = out;
    return 0;
}
