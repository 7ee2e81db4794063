//! It saves all of it.
#include <brownout.h>

int a[4] = {1, 2, 3, 4};

int main(void) {
    brownout_checkpoint_with(a, 4 * sizeof a[0]);
    for (int i = 0; i < 4; i++)
        a[i] = a[i] * 10;
    return 0;
}
