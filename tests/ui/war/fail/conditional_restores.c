//! The checkpoint saves one of two objects.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int count;
int level = 1;
int seen;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    seen = level; //~ NOTE [war] read here
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
