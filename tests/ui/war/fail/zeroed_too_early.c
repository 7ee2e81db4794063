//! A scale is marked as zeroed before it is. That the bridge may read 0, which the zero holds anyway, is no excuse.
//@ policy: restart
#include <brownout.h>

int bridge(void) BROWNOUT_INPUT;
void show(int value) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV char zeroed;
BROWNOUT_NV int zero;

int main(void) {
    if (!zeroed) {
        zeroed = 1; //~ ERROR [war] `zeroed`
        zero = bridge();
    }
    for (;;) {
        show(bridge() - zero);
    }
}
