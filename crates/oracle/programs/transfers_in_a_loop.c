//! Three transfers with an undo log, after a mark of the set-up. Power may fail in the set-up or in a transfer, and
//! again in a transfer of the next boot, which is one of its own.
//@ restart: harmless
//@ failures: 2
//@ input coin: 100 250 40
#include <brownout.h>

BROWNOUT_NV volatile int a = 5000, b = 0, old, active, magic;
int coin(void) BROWNOUT_INPUT;

int main(void) {
    if (active) {
        a = old;
        b = 5000 - old;
        active = 0;
    }
    magic = 85;
    for (int i = 0; i < 2; i++) {
        int amount = coin();
        old = a;
        active = 1;
        a = a - amount;
        b = b + amount;
        active = 0;
    }
    return 0;
}
