//! Power may fail in the middle of the recovery as well: it is done again.
//@ restart: harmless
//@ failures: 2
#include <brownout.h>

BROWNOUT_NV volatile int a = 50, b = 0, old_a, old_b, valid;

int main(void) {
    if (valid) {
        a = old_a;
        b = old_b;
        valid = 0;
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
