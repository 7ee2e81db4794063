//! The recovery gives the log up before it is through: a second failure leaves the rest undone.
//@ restart: harm
//@ failures: 2
#include <brownout.h>

BROWNOUT_NV volatile int a = 50, b = 0, old_a, old_b, valid;

int main(void) {
    if (valid) {
        valid = 0;     //~ restart: b
        a = old_a;     //~ restart: a
        b = old_b;
    }
    for (;;) {
        old_a = a;
        old_b = b;
        valid = 1;
        a = a - 1;
        b = b + 1;
        valid = 0;
    }
}
