//! What `show` is given is a number, whatever lies beside it: it calls nothing, and no function of the table is anybody's
//! callback.
//@ args: --target riscv32
#include <brownout.h>
#include <stdint.h>
#include <string.h>

struct part {
    int size;
    int (*put)(int at, const void *data, int length);
    int (*get)(int at, void *data, int length);
};
struct place {
    int sector, slot;
};
struct store {
    const struct part *part;
    int size;
    struct place read, write, cursor;
};

BROWNOUT_NV uint8_t cells[8] __attribute__((aligned(4)));

void show(uint32_t value) BROWNOUT_OUTPUT(absolute);

static int put(int at, const void *data, int length) {
    for (int i = 0; i < length; i += 4)
        *(volatile uint32_t *)(cells + at + i) = *(const uint32_t *)((const char *)data + i);
    return length;
}

static int get(int at, void *data, int length) {
    memcpy(data, cells + at, length);
    return length;
}

static const struct part part = { 4, put, get };
static struct store store;

static void start(struct store *it, const struct part *part) {
    it->part = part;
    it->size = 4;
    it->cursor = it->read;
}

static void append(struct store *it, const void *data) {
    it->part->put(it->write.slot * it->size, data, it->size);
    it->write.slot++;
    if (it->write.slot == 1)
        it->write.slot = 0;
}

int main(void) {
    uint32_t number = 0;
    start(&store, &part);
    for (;;) {
        store.part->get(0, &number, 4);
        show(number);
        number++;
        append(&store, &number);
    }
}
