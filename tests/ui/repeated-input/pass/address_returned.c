//! The variable is written whatever the input says.
//@ args: --static
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
static int hot;

void capture(void) {
    hot = sense() > 5;
}

const int *result(void) {
    return &hot;
}
