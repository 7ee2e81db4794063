//! A checkpoint before the library is called.
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
