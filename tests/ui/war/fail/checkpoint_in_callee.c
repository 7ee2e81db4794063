//! The callee commits, then reads; its caller overwrites what was read.
#include <brownout.h>

int level = 3;
int seen;

static void sample(void) {
    brownout_checkpoint();
    seen = level; //~ NOTE [war] read here
}

int main(void) {
    sample();
    level = 4; //~ ERROR [war] `level`; `seen` = 4 instead of 3
    return 0;
}
