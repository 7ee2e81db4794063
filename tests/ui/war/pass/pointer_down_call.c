//! The same callee on a volatile object.
#include <brownout.h>

int count;

static void bump(int *p) {
    *p = *p + 1;
}

int main(void) {
    int local = 0;
    brownout_checkpoint();
    bump(&local);
    count = local;
    return 0;
}
