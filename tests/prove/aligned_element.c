//! The twin of `packed_element`: words at even addresses are written in one piece.
//@ verdict: proved
//@ args: --set memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>
struct entry {
    uint16_t tag;
    uint16_t value;
};
BROWNOUT_NV struct entry table[4];
BROWNOUT_NV uint8_t which;
int main(void) {
    brownout_checkpoint();
    int index = which & 3;
    if (table[index].value == 0)
        table[index].value = 0x0102;
    brownout_checkpoint();
    return 0;
}
