//! A record is copied by the library: power can fail in the middle of the copy.
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
    brownout_checkpoint();
    mixed = current.value != current.key * 10; //~ NOTE [war] read here
    //~^ NOTE [torn-write] read here
    memcpy(&current, &next, sizeof current); //~ NOTE [war] `current.key`; benign
    //~^ NOTE [war] `current.value`; benign
    //~^^ ERROR [torn-write] `current.key`; `mixed` = 1 instead of 0
    //~^^^ ERROR [torn-write] `current.value`; `mixed` = 1 instead of 0
    return 0;
}
