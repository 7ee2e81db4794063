//! The repair of `counted_by_some_boots`: the number that is not in use is written, and a switch in one piece says which one is.
//@ policy: restart
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV unsigned long wakes[2] = {0xfffe, 0};
BROWNOUT_NV unsigned used;
int was_woken(void) BROWNOUT_INPUT_RANGE(0, 1);

int main(void) {
    if (was_woken()) {
        wakes[1 - used] = wakes[used] + 1;
        used = 1 - used;
    }
    return 0;
}
