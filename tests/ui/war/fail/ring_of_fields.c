//! A ring buffer with its indices in one structure: one finding for each field, the elements of
//! an array together.
//@ findings: war 4
#include <brownout.h>

struct ring {
    int head;
    int tail;
    int used;
    int slots[4];
};

struct ring ring;

static void put(int value) {
    if (ring.used == 4)
        return;
    ring.slots[ring.tail] = value;
    ring.tail = (ring.tail + 1) % 4; //~ ERROR [war] `ring.tail`; confirmed
    //~| ERROR [war] `ring.tail`; confirmed
    ring.used++; //~ ERROR [war] `ring.used`; confirmed
}

static int take(void) {
    int value = ring.slots[ring.head];
    ring.slots[ring.head] = 0; //~ ERROR [war] `ring.slots[0..2]`; `ring.slots[2]` = 4 instead of 7
    ring.head = (ring.head + 1) % 4; //~ ERROR [war] `ring.head`; `ring.head` = 3 instead of 2
    //~| ERROR [war] `ring.head`; confirmed
    //~| ERROR [war] `ring.head`; confirmed
    ring.used--; //~ ERROR [war] `ring.used`; `ring.used` = 0 instead of 1
    return value;
}

int main(void) {
    brownout_checkpoint_with(&ring, sizeof ring);
    put(3);
    put(4);
    brownout_checkpoint();
    int one = take();
    int other = take();
    put(one + other);
    return 0;
}
