//! The result goes into another array.
#include <brownout.h>

int queue[4] = {1, 2, 3, 4};
int shifted[4];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++)
        shifted[i] = queue[i + 1];
    return 0;
}
