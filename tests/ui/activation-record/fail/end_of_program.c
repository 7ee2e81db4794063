//! What runs after `main` to end the program is not the program's.
//@ known-bug: the C library's own call after `main` is said to overwrite the return address of `main`
//@ nv: stack
#include <brownout.h>
#include <stdlib.h>

int out;

static void sample(void) {
    brownout_checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

int main(void) {
    sample();
    out = abs(out); //~ ERROR [activation-record] `return address of sample`; crash wild-jump
    return 0;
}
