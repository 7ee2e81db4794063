//! The counter of a loop in NVM, with a checkpoint in the loop.
#include <brownout.h>

int i;
int out;

int main(void) {
    for (i = 0; i < 3; i++) { //~ ERROR [war] `i`; `i` = 2 instead of 1
        brownout_checkpoint();
        out = 1;
    }
    return 0;
}
