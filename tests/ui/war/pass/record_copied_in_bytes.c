//! A count in two slots in turn, which are written byte by byte: what is between members is left to chance, and a local
//! that is never looked at again may differ.
#include <brownout.h>

struct record {
    unsigned value;
    unsigned char sum;
};

BROWNOUT_NV struct record slots[2];
static struct record last;

int pressed(void) BROWNOUT_INPUT;

static unsigned char sum_of(const struct record *record) {
    return (unsigned char)(0x5a ^ record->value ^ (record->value >> 8) * 3);
}

static void write(void *to, const void *from, unsigned length) {
    unsigned char *target = to;
    const unsigned char *source = from;
    while (length--)
        *target++ = *source++;
}

static int scratch(unsigned number) {
    volatile unsigned char bytes[24];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 37 + number);
    return bytes[number & 7];
}

int main(void) {
    for (int slot = 0; slot < 2; slot++) {
        struct record record = slots[slot];
        if (sum_of(&record) == record.sum && (int)(record.value - last.value) > 0)
            last = record;
    }
    for (;;) {
        if (pressed()) {
            scratch(last.value);
            struct record next;
            next.value = last.value + 1;
            next.sum = sum_of(&next);
            last = next;
            write(&slots[last.value & 1], &next, sizeof next);
        }
    }
}
