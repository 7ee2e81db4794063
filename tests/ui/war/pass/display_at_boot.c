//! A display of two numbers is set in every round, and when the device boots: what a failure keeps the round from showing,
//! the boot shows.
//@ config: [[output]]
//@ config: function = "show"
//@ config: semantics = "absolute"
#include <brownout.h>

void show(int number);

BROWNOUT_NV int count;

int main(void) {
    show(count / 2);
    show(700);
    for (;;) {
        count++;
        show(count / 2);
        show(700);
    }
}
