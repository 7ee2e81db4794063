//! With the stack in volatile memory, which the checkpoint saves.
//@ nv: globals
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
