//! A checkpoint in between.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(void) {
    int t[3];
    t[0] = 10;
    t[1] = 11;
    t[2] = 12;
    brownout_checkpoint();
    out = t[1];
}

static void f2(void) {
    int u[3];
    u[0] = 20;
    u[1] = 21;
    u[2] = 22;
    out = u[0];
}

int main(void) {
    f1();
    brownout_checkpoint();
    f2();
    return 0;
}
