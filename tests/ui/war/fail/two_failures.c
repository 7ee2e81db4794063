//! An even number of failures hides the fault: up to two means one as well.
//@ args: --failures 2
#include <brownout.h>

int toggle;

int main(void) {
    brownout_checkpoint();
    toggle = !toggle; //~ ERROR [war] `toggle`; `toggle` = 0 instead of 1
    return 0;
}
