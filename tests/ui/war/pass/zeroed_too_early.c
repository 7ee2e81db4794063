//! A scale is marked as zeroed when it is.
//@ policy: restart
#include <brownout.h>

int bridge(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV volatile char zeroed;
BROWNOUT_NV volatile int zero;

int main(void) {
    if (!zeroed) {
        zero = bridge();
        zeroed = 1;
    }
    for (;;) {
        show(bridge() - zero);
    }
}
