//! Attributes of GCC behind macros with parameters, in a header of the program.
//@ policy: static
#include "nv_words.h"
#include <brownout.h>

IN_FRAM(int, count) = 3;
KEEP(total);
int scratch;

int main(void) {
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count` is read, then overwritten
    total = total + 1; //~ ERROR [war] `total` is read, then overwritten
    scratch = scratch + 1;
    brownout_checkpoint();
    return 0;
}
