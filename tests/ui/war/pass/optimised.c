//! A checkpoint between the read and the write.
//@ flags: -O2
#include <brownout.h>

int level = 1;
int seen;

static int get(void) {
    return level;
}

int main(void) {
    brownout_checkpoint();
    seen = get();
    brownout_checkpoint();
    level = 2;
    return 0;
}
