//! The checkpoint is in the caller: callees come and go, all in its region.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(void) {
    out = 1;
}

static void f2(void) {
    out = 2;
}

int main(void) {
    brownout_checkpoint();
    f1();
    f2();
    return 0;
}
