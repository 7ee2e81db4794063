//! A checkpoint between the two calls.
#include <brownout.h>

static int level = 3;
int seen;

static int get(void) {
    return level;
}

static void set(int value) {
    level = value;
}

int main(void) {
    brownout_checkpoint();
    seen = get();
    brownout_checkpoint();
    set(4);
    return 0;
}
