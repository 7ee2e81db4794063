//! Every attempt begins with the number of tries that the checkpoint has saved.
//@ policy: static
#include <brownout.h>

BROWNOUT_NV volatile int tries, given_up;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint_with((void *)&tries, sizeof tries);
        int before = tries;
        if (before == 2)
            given_up = 1;
        else
            tries = before + 1;
        tries = 0;
    }
    return given_up;
}
