//! The checkpoint saves the first half of an array.
#include <brownout.h>

int a[4] = {1, 2, 3, 4};

int main(void) {
    brownout_checkpoint_with(a, 2 * sizeof a[0]);
    for (int i = 0; i < 4; i++)
        a[i] = a[i] * 10; //~ ERROR [war] `a[2..4]`; `a[2]` = 300 instead of 30
    return 0;
}
