//! Half of a word is as good as all of it where only one half changes; where both do, it is not.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint32_t low = 5;
uint32_t both = 0xffff;
int odd;

int main(void) {
    brownout_checkpoint();
    if (low != 5 && low != 6) //~ NOTE [war] read here
        odd = 1;              //~^ NOTE [torn-write] read here
    low = 6; //~ NOTE [war] `low`; benign
    //~^ NOTE [torn-write] `low`; benign
    if (both != 0xffff && both != 0x10000) //~ NOTE [war] read here
        odd = 2; //~^ NOTE [torn-write] read here
    both = 0x10000; //~ NOTE [war] `both`; benign
    //~^ ERROR [torn-write] `both`; `odd` = 2 instead of 0
    return 0;
}
