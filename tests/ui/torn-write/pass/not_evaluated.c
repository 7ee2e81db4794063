//! The wide object is saved, and written before it is read where it is not.
//@ set: memory.atomic-write=2
//@ args: --no-evaluate
#include <brownout.h>
#include <stdint.h>

uint32_t stamp = 0x0000ffff;
uint32_t copy;

int main(void) {
    brownout_checkpoint_with(&stamp, sizeof stamp);
    uint32_t next = stamp + 1;
    stamp = next;
    copy = next;
    return 0;
}
