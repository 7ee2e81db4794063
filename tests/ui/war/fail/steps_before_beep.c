//! A boot sends steps until all are done. Power fails in the main loop, and again while the boot sends steps: the beep comes
//! after them, as after the first failure alone. Only whoever marks the beep as made before it is made can lose it.
//@ policy: restart
//@ target: msp430
#include <brownout.h>

BROWNOUT_NV volatile int beeped;
BROWNOUT_NV volatile int steps;

void beep(int) BROWNOUT_OUTPUT();
void send(int) BROWNOUT_OUTPUT();

int main(void) {
    while (steps < 3) {
        send(steps);
        steps = steps + 1;
    }
    for (;;) {
        if (steps == 0) {
            steps = 1;
        } else {
            steps = 0;
        }
        if (beeped == 0) {
            beeped = 1; //~ ERROR [war]
            beep(5);
        }
    }
}
