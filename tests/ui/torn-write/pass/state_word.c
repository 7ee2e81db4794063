//! The state fits into what is written at once.
//@ set: memory.atomic-write=2
#include <brownout.h>
#include <stdint.h>

uint16_t state = 0x1111;
int lost;

int main(void) {
    brownout_checkpoint();
    switch (state) {
    case 0x1111:
        state = 0x2222; //~ NOTE [war] benign
        break;
    case 0x2222:
        break;
    default:
        lost = 1;
    }
    return 0;
}
