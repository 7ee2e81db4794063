//! The same, with all that is in FRAM saved; other globals are volatile and need not be.
#include <brownout.h>

#define FRAM __attribute__((persistent))

#pragma PERSISTENT(count)
int count = 0;
FRAM int hidden = 1;
int total __attribute__((noinit));
int scratch;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count, &hidden, sizeof hidden, &total, sizeof total);
    count = count + 1;
    hidden = hidden + 1;
    total = total + 1;
    scratch = scratch + 1;
    brownout_checkpoint();
    return 0;
}
