//! The mode is saved.
#include <brownout.h>

int mode = 1;
int slow, fast;

int main(void) {
    brownout_checkpoint_with(&mode, sizeof mode);
    int m = mode;
    mode = 2;
    if (m == 2)
        fast = 1;
    else
        slow = 1;
    return 0;
}
