//! A checkpoint in between.
//@ nv: stack
//@ target: riscv32
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
