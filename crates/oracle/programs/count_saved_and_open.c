//! The counter is in the checkpoint.
//@ static: harmless
#include <brownout.h>

BROWNOUT_NV int count, opened;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    if (!opened)
        opened = 1;
    return 0;
}
