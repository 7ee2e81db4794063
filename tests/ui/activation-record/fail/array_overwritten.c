//! Of a local array the element that is read is overwritten.
//@ nv: stack
#include <brownout.h>

int out;
BROWNOUT_NV int result;

static void f1(void) {
    int t[3];
    t[0] = 10;
    t[1] = 11;
    t[2] = 12;
    brownout_checkpoint();
    out = t[1]; //~ NOTE [activation-record] used here
} //~ NOTE [activation-record] used here

static void f2(void) {
    int u[3];
    u[0] = 20;
    u[1] = 21; //~ NOTE [activation-record] `t[1]`; benign
    u[2] = 22;
    out = u[0];
}

int main(void) {
    f1();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    result = out;
    return 0;
}
