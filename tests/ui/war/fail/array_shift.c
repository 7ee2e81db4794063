//! Moving all elements down: an element is read in one iteration and written in the next.
#include <brownout.h>

int queue[4] = {1, 2, 3, 4};

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++)
        queue[i] = queue[i + 1]; //~ ERROR [war] `queue[1..3]`; `queue[0]` = 3 instead of 2
    return 0;
}
