//! A transfer under an undo log: whatever a failure leaves half done, the next boot takes back.
//@ restart: harmless
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
