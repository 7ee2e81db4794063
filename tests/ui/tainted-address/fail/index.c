//! The reading chooses the element that is written.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int slots[4];

int main(void) {
    brownout_checkpoint();
    int slot = receive() & 3;
    slots[slot] = 1; //~ ERROR [tainted-address] where in `slots` is written
    return 0;
}
