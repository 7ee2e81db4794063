//! The failure that is emulated for `level` restores `count`, which is saved: no harm is done.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int count;
int level = 1;
int seen;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    seen = level;
    level = 2; //~ NOTE [war] benign
    seen = 0;
    return 0;
}
