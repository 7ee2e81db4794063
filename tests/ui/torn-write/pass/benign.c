//! Whatever half is written, the whole is written again.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint32_t low = 5;
int odd;

int main(void) {
    brownout_checkpoint();
    if (low != 5 && low != 6)
        odd = 1;
    low = 6; //~ NOTE [war] `low`; benign
    //~^ NOTE [torn-write] `low`; benign
    return 0;
}
