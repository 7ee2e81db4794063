//! Another element is overwritten than the one that is read: numbers below 8, read before the checkpoint.
//@ verdict: proved
#include <brownout.h>
unsigned choose(void) BROWNOUT_INPUT;
BROWNOUT_NV int level[8];
int main(void) {
    unsigned to = choose() & 7;
    unsigned from = choose() & 7;
    brownout_checkpoint();
    if (to != from) level[to] = level[from] + 1;
    brownout_checkpoint();
    return 0;
}
