//! A checkpoint in between.
//@ nv: stack
//@ flags: -O2
#include <brownout.h>

volatile int out;

__attribute__((noinline)) static void f1(void) {
    brownout_checkpoint();
    out = 1;
}

__attribute__((noinline)) static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    brownout_checkpoint();
    f2();
    return 0;
}
