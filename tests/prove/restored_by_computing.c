//! What is overwritten is computed again from what is not: a mirror of `x`.
//@ verdict: proved
#include <brownout.h>
BROWNOUT_NV int x, mirror;
int main(void) {
    brownout_checkpoint();
    if (mirror != x + 1) mirror = x + 1;
    brownout_checkpoint();
    return 0;
}
