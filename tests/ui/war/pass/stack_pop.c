//! The new top is stored in the next region.
#include <brownout.h>

int items[3] = {10, 20, 30};
int top = 3;
int value;

int main(void) {
    brownout_checkpoint();
    int t = top - 1;
    value = items[t];
    brownout_checkpoint();
    top = t;
    return 0;
}
