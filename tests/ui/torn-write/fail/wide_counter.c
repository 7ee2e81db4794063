//! A 32-bit counter where 16 bits are written at once.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint32_t stamp = 0x0000ffff;

int main(void) {
    brownout_checkpoint();
    uint32_t next = stamp + 1; //~ NOTE [war] read here
    //~^ NOTE [torn-write] read here
    stamp = next; //~ ERROR [war] `stamp` = 65537 instead of 65536
    //~^ ERROR [torn-write] `stamp` = 1 instead of 65536
    return 0;
}
