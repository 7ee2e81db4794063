//! How often a loop on the input ran decides afterwards.
//@ args: --static
#include <brownout.h>

int read_button(void) BROWNOUT_INPUT;

int held;

int main(void) {
    brownout_checkpoint();
    int rounds = 0;
    while (read_button()) {
        rounds++;
    }
    if (rounds > 100) { //~ ERROR [repeated-input] whether `held` is written
        held = 1;
    }
    return 0;
}
