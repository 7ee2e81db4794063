//! Another path is taken after a failure.
//@ known-bug: `path` is only reported when the windows end at different places
#include <brownout.h>

int mode = 1;
int slow, fast;

int main(void) {
    brownout_checkpoint();
    int m = mode; //~ NOTE [war] read here
    mode = 2; //~ ERROR [war] `mode`; path; `fast` = 1 instead of 0; `slow` = 0 instead of 1
    if (m == 2)
        fast = 1;
    else
        slow = 1;
    return 0;
}
