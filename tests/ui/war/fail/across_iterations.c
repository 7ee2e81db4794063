//! Read in the first iteration, overwritten in the second by a line further up.
#include <brownout.h>

int state = 7;
int seen[3];

int main(void) {
    brownout_checkpoint();
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            state = i; //~ ERROR [war] `state`; `seen[0]` = 1 instead of 7
        seen[i] = state; //~ NOTE [war] read here
    }
    return 0;
}
