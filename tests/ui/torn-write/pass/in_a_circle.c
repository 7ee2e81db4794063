//! A number of two words that begins anew before it carries: the program comes back to where it was, and never does
//! anything else.
//@ policy: restart
//@ target: msp430
#include <brownout.h>

void report(unsigned long sum) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile unsigned long sum;

int main(void) {
    for (;;) {
        report(sum);
        if (sum < 4 || sum >= 264)
            sum = 4;
        else
            sum = sum + 13;
    }
}
