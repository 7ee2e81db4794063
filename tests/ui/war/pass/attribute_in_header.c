//! The same, with what is overwritten saved by the checkpoint.
//@ policy: static
#include "nv_words.h"
#include <brownout.h>

IN_FRAM(int, count) = 3;
KEEP(total);
int scratch;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count, &total, sizeof total);
    count = count + 1;
    total = total + 1;
    scratch = scratch + 1;
    brownout_checkpoint_with(&count, sizeof count, &total, sizeof total);
    return 0;
}
