//! A checkpoint before the library is called.
//@ known-bug: the C library's own call after `main` is said to overwrite the return address of `main`
//@ nv: stack
#include <brownout.h>
#include <stdlib.h>

int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
}

int main(void) {
    sample();
    brownout_checkpoint();
    out = abs(out);
    return 0;
}
