//! A checkpoint that need not commit: what both regions write is saved, so that it does not matter which one
//! commits.
//@ verdict: proved
//@ args: --policy conditional
#include <brownout.h>
BROWNOUT_NV int count, last;
int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint_with(&count, sizeof count);
        count++;
        last = count;
        brownout_checkpoint_with(&count, sizeof count);
        count += 2;
    }
    brownout_checkpoint();
    return last;
}
