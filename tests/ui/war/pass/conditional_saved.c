//! Both checkpoints save the object.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint_with(&level, sizeof level);
    seen = level;
    brownout_checkpoint_with(&level, sizeof level);
    level = 2;
    return 0;
}
