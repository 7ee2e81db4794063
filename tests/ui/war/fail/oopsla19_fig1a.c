//! OOPSLA'19 Fig. 1(a): the second attempt uses the next entry of the buffer and the assertion fails.
#include <assert.h>
#include <brownout.h>

int count;
int index;
int buffer[4];

int main(void) {
    brownout_checkpoint();
    index = count; //~ NOTE [war] read here
    count = index + 1; //~ ERROR [war] `count`; crash failed-assertion
    buffer[index] = 42;
    assert(buffer[0] == 42);
    return 0;
}
