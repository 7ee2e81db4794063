//! The first checkpoint comes after the branch: a power failure before it starts the program again.
//@ args: --static
#include <brownout.h>

int read_jumper(void) BROWNOUT_INPUT;

int test_mode;
int started;

int main(void) {
    if (read_jumper()) { //~ ERROR [repeated-input] whether `test_mode` is written
        test_mode = 1;
    }
    brownout_checkpoint();
    started = 1;
    return 0;
}
