//! A ring whose entries count when the index says so. What was sent is remembered afterwards.
//@ restart: harmless
//@ restart fresh: harmless
//@ input sense: 5 6 7 8 9 3 1
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int slot[4], head, tail;

int main(void) {
    for (;;) {
        slot[head & 3] = sense();
        head = head + 1;
        while (tail != head) {
            send(slot[tail & 3]);
            tail = tail + 1;
        }
    }
}
