//! What runs after `main` to end the program is not the program's.
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
