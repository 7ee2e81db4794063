//! Objects that TI's compiler and GCC keep in FRAM, in their words; other globals are volatile.
#include <brownout.h>

#define FRAM __attribute__((persistent))

#pragma PERSISTENT(count)
int count = 0;
FRAM int hidden = 1;
int total __attribute__((noinit));
int scratch;

int main(void) {
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count` is read, then overwritten
    hidden = hidden + 1; //~ ERROR [war] `hidden` is read, then overwritten
    total = total + 1; //~ ERROR [war] `total` is read, then overwritten
    scratch = scratch + 1;
    brownout_checkpoint();
    return 0;
}
