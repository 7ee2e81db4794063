//! What set-up does last is what a round does last: optimisers make one piece of code of both, and the loop is entered
//! in two places.
//@ policy: restart
#include <brownout.h>
#include <stdint.h>

int request(void) BROWNOUT_INPUT_RANGE(0, 9);

BROWNOUT_NV volatile uint8_t active, state;
BROWNOUT_NV volatile uint16_t served;

static void put(uint8_t new_active, uint8_t new_state) {
    active = new_active;
    state = new_state;
}

int main(void) {
    if (state == 2)
        put(1, 0);
    for (;;) {
        if (request() == 0)
            put(active, 2);
        else
            served = (served + 1) & 1023;
        if (state == 2)
            put(1, 0);
    }
}
