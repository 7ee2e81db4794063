//! An array of variable length lies where a local of `f1` was.
//@ nv: stack
#include <brownout.h>

int out, n = 3;

static void f1(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

int main(void) {
    f1();
    char a[n];
    for (out = 0; out < n; out++)
        a[out] = 'x'; //~ ERROR [activation-record] `return address of f1`; crash bad-access
    return 0;
}
