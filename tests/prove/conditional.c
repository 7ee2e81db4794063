//! A checkpoint that may not commit: the region goes on past it.
//@ verdict: counterexample
//@ args: --policy conditional
#include <brownout.h>
BROWNOUT_NV int count;
int main(void) {
    brownout_checkpoint();
    int before = count;
    brownout_checkpoint();
    count = before + 1;
    brownout_checkpoint();
    return count;
}
