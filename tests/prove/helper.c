//! Helpers are followed into: what one of them reads, another overwrites.
//@ verdict: counterexample
//@ finding: war count
#include <brownout.h>
BROWNOUT_NV int count, copy;
static int get(void) { return count; }
static void put(int value) { count = value; }
int main(void) {
    brownout_checkpoint();
    copy = get();
    put(copy + 1);
    brownout_checkpoint();
    return 0;
}
