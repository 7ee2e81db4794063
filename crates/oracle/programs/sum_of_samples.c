//! A sum of samples that the set-up makes once, in non-volatile memory: what was added before a failure is added again.
//! That a round of its loop reads a sample makes it no work of its own.
//@ restart: harm
//@ input adc: 90 95 100 105
#include <brownout.h>

BROWNOUT_NV volatile int sum, done;
int adc(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

int main(void) {
    if (!done) {
        for (int i = 0; i < 4; i++)
            sum = sum + adc();      //~ restart: sum, show
        done = 1;
    }
    for (;;)
        show(sum / 4);
}
