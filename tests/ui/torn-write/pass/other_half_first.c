//! Whatever a torn store leaves is overwritten.
//@ set: memory.atomic-write=1
#include <brownout.h>

BROWNOUT_NV unsigned int limit = 0xff;

int main(void) {
    brownout_checkpoint();
    if (limit != 0x200)
        limit = 0x200; //~ NOTE [war] `limit`; benign
        //~^ NOTE [torn-write] `limit`; benign
    brownout_checkpoint();
    return 0;
}
