//! Read in one function, overwritten in another.
#include <brownout.h>

static int level = 3;
int seen;

static int get(void) {
    return level; //~ NOTE [war] read here
}

static void set(int value) {
    level = value; //~ ERROR [war] `level`; `seen` = 4 instead of 3
}

int main(void) {
    brownout_checkpoint();
    seen = get();
    set(4);
    return 0;
}
