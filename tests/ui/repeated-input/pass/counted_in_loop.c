//! How often a loop on the input ran is stored.
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
    held = rounds > 100;
    return 0;
}
