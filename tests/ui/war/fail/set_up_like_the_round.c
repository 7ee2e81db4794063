//! What set-up does last is what a round does last, and a record is thrown away with its check byte in the middle.
//@ policy: restart
#include <brownout.h>
#include <stdint.h>

int request(void) BROWNOUT_INPUT_RANGE(0, 3);

BROWNOUT_NV volatile uint8_t state, tries, check = 0xa5;

static void put(uint8_t new_state, uint8_t new_tries) {
    state = new_state;
    tries = new_tries; //~ ERROR [war]
    check = new_state ^ new_tries ^ 0xa5;
}

int main(void) {
    if (check != (state ^ tries ^ 0xa5))
        put(0, 0);
    if (state == 2)
        put(0, 0);
    for (;;) {
        if (request() == 0) {
            if (tries < 9)
                put(0, tries + 1);
            else
                put(2, 0);
        }
        if (state == 2)
            put(0, 0);
    }
}
