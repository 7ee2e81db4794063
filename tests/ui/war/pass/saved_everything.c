//! Every checkpoint saves all of NVM.
//@ nv: globals,stack
//@ set: power.saves=["all"]
#include <brownout.h>

int count;

int main(void) {
    brownout_checkpoint();
    count = count + 1;
    return 0;
}
