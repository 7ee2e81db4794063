//! A checkpoint between the return and the call.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(void) {
    int a = 5;
    brownout_checkpoint();
    out = a;
}

static void f2(void) {
    int b = 9;
    out = b;
}

int main(void) {
    f1();
    brownout_checkpoint();
    f2();
    return 0;
}
