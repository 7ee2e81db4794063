//! Optimised code.
//@ nv: stack
//@ flags: -O2
#include <brownout.h>

volatile int out;

__attribute__((noinline)) static void f1(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

__attribute__((noinline)) static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    return 0;
}
