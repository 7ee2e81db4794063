//! Both save it.
#include <brownout.h>

int count;
int other;

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    other = 1;
    brownout_checkpoint_with(&count, sizeof count);
    count = count + 1;
    return 0;
}
