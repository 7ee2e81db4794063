//! One power failure heals. After two in a row the third attempt finds 2, and takes the other branch.
//@ policy: static
#include <brownout.h>

BROWNOUT_NV volatile int tries, given_up;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int before = tries;    //~ NOTE [war] read here
        if (before == 2)
            given_up = 1;
        else
            tries = before + 1;    //~ ERROR [war] `tries`
        tries = 0;
    }
    return given_up;
}
