//! OOPSLA'19 Fig. 1(a), repaired: the checkpoint saves `count`.
#include <assert.h>
#include <brownout.h>

int count;
int index;
int buffer[4];

int main(void) {
    brownout_checkpoint_with(&count, sizeof count);
    index = count;
    count = index + 1;
    buffer[index] = 42;
    assert(buffer[0] == 42);
    return 0;
}
