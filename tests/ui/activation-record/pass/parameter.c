//! A checkpoint in between.
//@ nv: stack
#include <brownout.h>

int out;

static void f1(int a) {
    brownout_checkpoint();
    out = a;
}

static void f2(int b) {
    out = b;
}

int main(void) {
    f1(1);
    brownout_checkpoint();
    f2(2);
    return 0;
}
