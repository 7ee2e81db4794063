//! The next checkpoint does not save what the one before it did.
#include <brownout.h>

int count;
int other;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    other = 1;
    brownout_checkpoint();
    count = count + 1; //~ ERROR [war] `count`; `count` = 2 instead of 1
    return 0;
}
