//! Others read a variable of this file through its address.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
static int hot;

void capture(void) {
    if (sense() > 5) //~ ERROR [repeated-input] `hot`
        hot = 1;
}

const int *result(void) {
    return &hot;
}
