//! A lamp is switched on and off in every round; when the device boots, it is only switched off: after a failure it stays dark.
//@ restart: harm
#include <brownout.h>

void lamp(int on) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int rounds;

int main(void) {
    lamp(0);
    for (;;) {
        rounds = rounds + 1;    //~ restart: lamp
        lamp(1);
        lamp(0);
    }
}
