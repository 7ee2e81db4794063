//! The field is written whatever was read, and its neighbours are neither read nor changed.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
struct { unsigned ready : 1; unsigned hot : 1; unsigned mode : 6; } state;

void sample(void) {
    state.mode = 3;
    state.hot = sense() > 5;
}

int is_hot(void) { return state.hot; }
