//! Compilers write the halves of a number in either order: the high one first leaves a number that looks right.
//@ set: memory.atomic-write=1
#include <brownout.h>

BROWNOUT_NV unsigned int limit = 0xff;

int main(void) {
    brownout_checkpoint();
    if (limit < 0x100)
        limit = 0x200; //~ NOTE [war] `limit`; benign
        //~^ ERROR [torn-write] `limit`; `limit` = 767
    brownout_checkpoint();
    return 0;
}
