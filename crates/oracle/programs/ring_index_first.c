//! The index says that an entry is there before it is: the next boot sends what the slot held before.
//@ restart: harm
//@ input sense: 5 6 7 8 9 3 1
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int slot[4], head, tail;

int main(void) {
    for (;;) {
        head = head + 1;                //~ restart: send
        slot[(head - 1) & 3] = sense();
        while (tail != head) {
            send(slot[tail & 3]);
            tail = tail + 1;
        }
    }
}
