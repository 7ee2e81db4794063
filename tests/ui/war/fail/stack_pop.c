//! A stack that is popped again after a failure.
#include <brownout.h>

int items[3] = {10, 20, 30};
int top = 3;
int value;

int main(void) {
    brownout_checkpoint();
    value = items[--top]; //~ ERROR [war] `top`; `value` = 20 instead of 30; `top` = 1 instead of 2
    return 0;
}
