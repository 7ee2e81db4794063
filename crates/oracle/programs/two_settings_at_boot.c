//! A display of two numbers is set in every round, and when the device boots: what a failure keeps the round from setting, the
//! boot sets.
//@ restart: harmless
#include <brownout.h>

void show(int number) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int rounds;

int main(void) {
    show(5);
    show(6);
    for (;;) {
        rounds = rounds + 1;
        show(5);
        show(6);
    }
}
