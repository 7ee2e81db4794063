//! One bug, two writes: only the first one does harm.
//@ static: harm
//@ restart: harmless
#include <brownout.h>

BROWNOUT_NV int count, opened;

int main(void) {
    brownout_checkpoint();
    count = count + 1;    //~ static: count
    if (!opened)
        opened = 1;
    return 0;
}
