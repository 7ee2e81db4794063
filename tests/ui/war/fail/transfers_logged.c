//! Each transfer of a loop that ends has an undo log: a second power failure in the loop of the next boot is in a transfer of
//! its own.
#include <brownout.h>

BROWNOUT_NV volatile int a = 5000, b, old, active, version;
int coin(void) BROWNOUT_INPUT;

int main(void) {
    if (active) {
        a = old;
        b = 5000 - old;
        active = 0;
    }
    version = 2;
    for (int i = 0; i < 3; i++) {
        int amount = coin();
        active = 1; //~ ERROR [war] `active`
        old = a;
        a = a - amount;
        b = b + amount;
        active = 0;
    }
    return 0;
}
