//! Optimised code.
//@ flags: -O2
#include <brownout.h>

int level = 1;
int seen;

static int get(void) {
    return level; //~ NOTE [war] read here
}

int main(void) {
    brownout_checkpoint();
    seen = get();
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
