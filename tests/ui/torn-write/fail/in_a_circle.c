//! A number of two words that carries before it begins anew: torn there, it is far from both of its values.
//@ policy: restart
//@ target: msp430
#include <brownout.h>

void report(unsigned long sum) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile unsigned long sum;

int main(void) {
    for (;;) {
        report(sum);
        if (sum < 65500 || sum >= 65600)
            sum = 65500; //~ ERROR [torn-write] `sum`; output
        else
            sum = sum + 13; //~ ERROR [torn-write] `sum`; output
    }
}
