//! The same function, called from two places.
//@ nv: stack
#include <brownout.h>

int out, i;

static void sample(void) {
    brownout_checkpoint();
    out++;
} //~ NOTE [activation-record] used here

int main(void) {
    sample();
    sample(); //~ ERROR [activation-record] `return address of sample`; crash wild-jump
    return 0;
}
