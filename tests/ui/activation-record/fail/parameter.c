//! A parameter of `f2` lies where one of `f1` was: its place is the callee's head.
//@ nv: stack
#include <brownout.h>

int out;
BROWNOUT_NV int result;

static void f1(int a) {
    brownout_checkpoint();
    out = a; //~ NOTE [activation-record] used here
} //~ NOTE [activation-record] used here

static void f2(int b) { //~ NOTE [activation-record] `a`; benign
    out = b;
}

int main(void) {
    f1(1);
    f2(2); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    result = out;
    return 0;
}
