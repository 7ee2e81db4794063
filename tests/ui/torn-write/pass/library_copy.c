//! The record is saved.
//@ set: memory.atomic-write=4
#include <brownout.h>
#include <stdint.h>
#include <string.h>

struct record {
    uint32_t key, value;
} current = {1, 10};
int mixed;

int main(void) {
    struct record next = {2, 20};
    brownout_checkpoint_with(&current, sizeof current);
    mixed = current.value != current.key * 10;
    memcpy(&current, &next, sizeof current);
    return 0;
}
