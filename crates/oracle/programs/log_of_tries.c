//! Tries are counted on purpose, and each has an element of a log: that of a try that failed is there as well.
//@ static: harmless
#include <brownout.h>

BROWNOUT_INTERMITTENCE_AWARE BROWNOUT_NV volatile int tries;
BROWNOUT_NV volatile int log[4];

int main(void) {
    brownout_checkpoint();
    tries = tries + 1;
    log[tries & 3] = 5;
    brownout_checkpoint();
    return 0;
}
