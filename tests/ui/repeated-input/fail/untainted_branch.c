//! The branch is on the input.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int mode;
int fast;
int slow;
int level;

int main(void) {
    brownout_checkpoint();
    level = read_adc();
    if (level > mode) { //~ ERROR [repeated-input] whether `fast` and `slow` are written
        fast = 1;
    } else {
        slow = 1;
    }
    return 0;
}
