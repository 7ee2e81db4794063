//! What the second checkpoint saves is no help when it does not commit.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level; //~ NOTE [war] read here
    brownout_checkpoint_with(&level, sizeof level);
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
