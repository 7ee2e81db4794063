//! Under `restart` a checkpoint commits nothing: what is read before it is overwritten after it.
//@ verdict: unknown
//@ reason: `count` can differ
//@ args: --policy restart
#include <brownout.h>
BROWNOUT_NV int count;
int main(void) {
    int before = count;
    brownout_checkpoint();
    count = before + 1;
    return 0;
}
