//! A clock that comes back to the same state after 500 rounds: what it switches follows from the time.
#include <brownout.h>

BROWNOUT_NV volatile unsigned tick, relay;

int main(void) {
    for (;;) {
        relay = tick >= 450;
        tick = tick == 499 ? 0 : tick + 1;
    }
}
