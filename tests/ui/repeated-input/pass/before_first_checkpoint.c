//! The first checkpoint comes after the branch: a power failure before it starts the program again, with the flag cleared.
//@ args: --static
#include <brownout.h>

int read_jumper(void) BROWNOUT_INPUT;

int test_mode;
int started;

int main(void) {
    test_mode = 0;
    if (read_jumper()) {
        test_mode = 1;
    }
    brownout_checkpoint();
    started = 1;
    return 0;
}
