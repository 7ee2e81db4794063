//! The reading chooses the element that is written; the checkpoint saves the array.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int slots[4];

int main(void) {
    brownout_checkpoint_with(slots, sizeof slots);
    int slot = receive() & 3;
    slots[slot] = 1;
    return 0;
}
