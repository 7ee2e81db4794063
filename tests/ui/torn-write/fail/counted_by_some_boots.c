//! Only boots that were woken count: the boot in which the lower half of the number carries into the upper one is not the first
//! one that counts, and half of the number is written when power fails between the two.
//@ policy: restart
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV unsigned long wakes = 0xfffe;
int was_woken(void) BROWNOUT_INPUT_RANGE(0, 1);

int main(void) {
    if (was_woken()) {
        wakes++; //~ ERROR [torn-write] `wakes`
    }
    return 0;
}
