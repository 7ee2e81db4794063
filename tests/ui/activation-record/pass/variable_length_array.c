//! A checkpoint in between.
//@ nv: stack
#include <brownout.h>

int out, n = 3;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
}

int main(void) {
    f1();
    brownout_checkpoint();
    char a[n];
    for (out = 0; out < n; out++)
        a[out] = 'x';
    return 0;
}
