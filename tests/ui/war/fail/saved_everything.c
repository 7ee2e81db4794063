//! The checkpoint saves nothing of NVM.
//@ nv: globals,stack
#include <brownout.h>

int count;

int main(void) {
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count`; `count` = 2 instead of 1
    return 0;
}
