//! The branch is on what is in memory: every attempt goes the same way, and the reading is only stored.
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
    if (mode > 3) {
        fast = 1;
    } else {
        slow = 1;
    }
    return 0;
}
