//! A checkpoint at the end of each iteration saves the counter.
//@ nv: stack
#include <brownout.h>

volatile int output;

int main(void) {
    int i = 0;
    brownout_checkpoint();
    for (;;) {
        brownout_checkpoint_with(&i, sizeof i);
        if (i >= 3)
            break;
        output = i;
        i++;
    }
    return 0;
}
