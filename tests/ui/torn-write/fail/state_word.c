//! Doing it again after the whole write does no harm: the new state is recognised. Half of it is not.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint32_t state = 0x11111111;
int lost;

int main(void) {
    brownout_checkpoint();
    switch (state) { //~ NOTE [war] read here
    //~^ NOTE [torn-write] read here
    case 0x11111111:
        state = 0x22222222; //~ NOTE [war] benign
        //~^ ERROR [torn-write] `lost` = 1 instead of 0
        break;
    case 0x22222222:
        break;
    default:
        lost = 1;
    }
    return 0;
}
