//! The first checkpoint saves what the device must not find changed.
//@ static: harmless
//@ conditional: harmless
#include <brownout.h>

BROWNOUT_NV int count;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    int next = count + 1;
    brownout_checkpoint_with(&count, sizeof count);
    count = next;
    brownout_checkpoint_with(&count, sizeof count);
    return 0;
}
