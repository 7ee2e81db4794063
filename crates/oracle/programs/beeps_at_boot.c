//! The device beeps when it boots and after each round: the beep of a boot does not stand for that of a round.
//@ restart: harm
#include <brownout.h>

void beep(int tone) BROWNOUT_OUTPUT();

BROWNOUT_NV int rounds;

int main(void) {
    beep(1);
    for (;;) {
        rounds = rounds + 1;    //~ restart: beep
        beep(1);
    }
}
