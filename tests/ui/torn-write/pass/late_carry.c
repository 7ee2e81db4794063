//! Seconds are counted in two copies, and one word says which of them counts.
//@ policy: restart
//@ target: msp430
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV volatile unsigned long seconds[2];
BROWNOUT_NV volatile unsigned char current;

int main(void) {
    for (;;) {
        unsigned char now = current;
        printf("%lu\n", seconds[now]);
        seconds[1 - now] = seconds[now] + 1;
        current = 1 - now;
    }
}
