//! Saved.
//@ args: --failures 2
#include <brownout.h>

int toggle;

int main(void) {
    brownout_checkpoint_with(&toggle, sizeof toggle);
    toggle = !toggle;
    return 0;
}
