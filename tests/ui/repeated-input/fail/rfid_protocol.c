//! OOPSLA'19 Fig. 9(c): an interval that is out of bounds resets the decoder, but power fails before the state is reset too.
//@ args: --static
//@ possible: before the preamble has passed, what a reset would clear is clear
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
    state = PREAMBLE; //~ ERROR [war] `state`; possible
}

void edge(void) {
    brownout_checkpoint();
    uint16_t interval = timer_capture();
    switch (state) { //~ NOTE [war] read here
    case PREAMBLE:
        if (in_time(interval)) { //~ ERROR [repeated-input] whether `command` and `length` are written
            state = DATA; //~ ERROR [war] `state`
        } else {
            reset();
        }
        break;
    case DATA:
        if (in_time(interval)) { //~ ERROR [repeated-input] whether `length` and `state` are written
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
