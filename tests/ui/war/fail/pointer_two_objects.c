//! The same two places break two objects: two findings.
#include <brownout.h>

int hits = 10, misses = 20;

static void bump(int *p) {
    *p = *p + 1; //~ ERROR [war] `hits`; `hits` = 12 instead of 11
    //~| ERROR [war] `misses`; `misses` = 22 instead of 21
}

int main(void) {
    brownout_checkpoint();
    bump(&hits);
    bump(&misses);
    return 0;
}
