//! That another field of the same byte is overwritten overwrites nothing of this one.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
struct { unsigned ready : 1; unsigned hot : 1; unsigned mode : 6; } state;

void sample(void) {
    state.mode = 3;
    if (sense() > 5) //~ ERROR [repeated-input] `state.hot`; confirmed; `state.hot` = 1 instead of 0
        state.hot = 1;
}

int is_hot(void) { return state.hot; }
