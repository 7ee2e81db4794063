//! A sum that is made once, in non-volatile memory, by a loop whose index is lost: what was added before
//! a failure is added again. That every round may be such a failure makes none of them quiet.
//@ restart: harm
#include <brownout.h>

static const int data[5] = {3, 1, 4, 1, 5};
BROWNOUT_NV int sum;
BROWNOUT_NV int done;

int main(void) {
    if (!done) {
        for (volatile int i = 0; i < 5; i++)
            sum += data[i];                         //~ restart: sum
        done = 1;
    }
}
