//! The checkpoint saves it.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint32_t stamp = 0x0000ffff;

int main(void) {
    brownout_checkpoint_with(&stamp, sizeof stamp);
    uint32_t next = stamp + 1;
    stamp = next;
    return 0;
}
