//! Called from one place: the second call writes the return address that was there.
//@ nv: stack
#include <brownout.h>

int out, i;

static void sample(void) {
    brownout_checkpoint();
    out++;
}

int main(void) {
    for (i = 0; i < 2; i++)
        sample();
    return 0;
}
