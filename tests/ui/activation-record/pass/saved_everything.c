//! Every checkpoint saves all of NVM, the stack too.
//@ nv: stack
//@ set: power.saves=["all"]
#include <brownout.h>

int out;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
}

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    f2();
    return 0;
}
