//! Seconds are counted in two words. Where the lower one overflows, a failure in between loses 18 hours, however
//! long that takes to come.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV volatile unsigned long seconds;

int main(void) {
    for (;;) {
        printf("%lu\n", seconds);
        seconds = seconds + 1;    //~ ERROR [torn-write] `seconds`
    }
}
