//! The index is chosen by the caller and the write is done by a helper, which another caller uses with a fixed index.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int wanted[4];
int heard[4];

static void mark(int *array, int index) {
    array[index] = 1; //~ ERROR [tainted-address] where in `heard` is written
}

int main(void) {
    brownout_checkpoint();
    int who = receive() & 3;
    mark(wanted, 2);
    mark(heard, who);
    return 0;
}
