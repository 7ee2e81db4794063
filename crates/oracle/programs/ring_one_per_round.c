//! One entry in and one out per round: after a failure in between, one more stays in the ring for good,
//! and after four of them it is full.
//@ restart: harm
//@ input sense: 5 6 7 8 9 3 1
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int slot[4], head, tail;

int main(void) {
    for (;;) {
        if (head - tail < 4) {
            slot[head & 3] = sense();
            head = head + 1;            //~ restart: send, tail
        }
        if (head != tail) {
            send(slot[tail & 3]);
            tail = tail + 1;
        }
    }
}
