//! The callee reads, then commits.
#include <brownout.h>

int level = 3;
int seen;

static void sample(void) {
    seen = level;
    brownout_checkpoint();
}

int main(void) {
    sample();
    level = 4;
    return 0;
}
