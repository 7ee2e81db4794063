//! A clock that comes back to the same state after 500 rounds, and does something in one of them only.
#include <brownout.h>

BROWNOUT_NV volatile unsigned tick, relay;

int main(void) {
    for (;;) {
        if (tick == 450)
            relay = !relay; //~ ERROR [war] `relay`
        tick = tick == 499 ? 0 : tick + 1;
    }
}
