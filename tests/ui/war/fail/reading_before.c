//! A setting that was read before the checkpoint decides whether the region writes a counter first. The execution
//! without failures does so, and another setting does harm.
#include <brownout.h>

int setting(void) BROWNOUT_INPUT;
BROWNOUT_NV int count;

int main(void) {
    int set = setting();
    brownout_checkpoint();
    if (set & 1)
        count = 1;
    count++; //~ ERROR [war] `count`; `count` = 2; instead of 1
    //~^ NOTE [war] read here
    brownout_checkpoint();
    return 0;
}
