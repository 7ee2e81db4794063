//! A state machine that keeps its state in non-volatile memory: each step can be done again.
//@ restart: harmless
//@ restart fresh: harmless
//@ input sense: 40 12 33 8 21
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int state, raw, filtered;

int main(void) {
    for (;;) {
        if (state == 0) {
            raw = sense();
            state = 1;
        } else if (state == 1) {
            filtered = raw / 2;
            state = 2;
        } else {
            send(filtered);
            state = 0;
        }
    }
}
