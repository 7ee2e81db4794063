//! `f2` has no local.
//@ nv: stack
#include <brownout.h>

int out[2], i;

static void f1(void) {
    long a = 100000;
    brownout_checkpoint();
    out[0] = (int)(a / 1000);
}

static void f2(void) {
    out[1] = 200;
}

int main(void) {
    for (i = 0; i < 2; i++)
        (i == 0 ? f1 : f2)();
    return 0;
}
