//! Nothing is emulated: that the store can be half done is seen in the execution.
//@ set: memory.atomic-write=2
//@ args: --no-evaluate
#include <brownout.h>
#include <stdint.h>

uint32_t stamp = 0x0000ffff;
uint16_t count;

int main(void) {
    brownout_checkpoint();
    uint32_t next = stamp + 1; //~ NOTE [war] read here
    //~^ NOTE [torn-write] read here
    stamp = next; //~ ERROR [war] `stamp`; located
    //~^ ERROR [torn-write] `stamp`; located
    count = count + 1; //~ ERROR [war] `count`; located
    return 0;
}
