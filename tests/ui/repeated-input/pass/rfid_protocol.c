//! OOPSLA'19 Fig. 9(c), repaired: the checkpoint saves the whole state of the decoder.
//@ args: --static
#include <brownout.h>
#include <stdbool.h>
#include <stdint.h>

uint16_t timer_capture(void) BROWNOUT_INPUT;

enum state { PREAMBLE, DATA };

static enum state state;
static uint8_t command;
static uint8_t length;

static bool in_time(uint16_t interval) {
    return interval >= 20 && interval < 90;
}

static void reset(void) {
    command = 0;
    length = 0;
    state = PREAMBLE;
}

void edge(void) {
    brownout_checkpoint_with(&state, sizeof state, &command, sizeof command, &length, sizeof length);
    uint16_t interval = timer_capture();
    switch (state) {
    case PREAMBLE:
        if (in_time(interval)) {
            state = DATA;
        } else {
            reset();
        }
        break;
    case DATA:
        if (in_time(interval)) {
            command = interval > 50;
        } else {
            reset();
        }
        break;
    }
}

int decoded(void) {
    return state == DATA ? command + length : -1;
}
