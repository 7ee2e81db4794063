//! The whole ring is saved by the checkpoint.
//@ findings: war 0
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
    ring.tail = (ring.tail + 1) % 4;
    ring.used++;
}

static int take(void) {
    int value = ring.slots[ring.head];
    ring.slots[ring.head] = 0;
    ring.head = (ring.head + 1) % 4;
    ring.used--;
    return value;
}

int main(void) {
    brownout_checkpoint_with(&ring, sizeof ring);
    put(3);
    put(4);
    brownout_checkpoint_with(&ring, sizeof ring);
    int one = take();
    int other = take();
    put(one + other);
    return 0;
}
