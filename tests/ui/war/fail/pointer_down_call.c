//! A pointer to NVM is passed down: the finding is in the callee and names the object.
#include <brownout.h>

int count;

static void bump(int *p) {
    *p = *p + 1; //~ ERROR [war] `count`; `count` = 2 instead of 1
}

int main(void) {
    brownout_checkpoint();
    bump(&count);
    return 0;
}
