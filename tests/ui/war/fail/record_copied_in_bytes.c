//! Two numbers in two slots in turn, which are written byte by byte, and the mark of an old record stays.
#include <brownout.h>

struct record {
    unsigned value, total;
    unsigned char sum;
};

BROWNOUT_NV struct record slots[2];
static struct record last;

int pressed(void) BROWNOUT_INPUT;


static void write(void *to, const void *from, unsigned length) {
    unsigned char *target = to;
    const unsigned char *source = from;
    while (length--)
        *target++ = *source++; //~ ERROR [war] `slots[1].value`
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
        if (record.sum == 0x5a && (int)(record.value - last.value) > 0)
            last = record;
    }
    for (;;) {
        if (pressed()) {
            scratch(last.value);
            struct record next;
            next.value = last.value + 1;
            next.total = last.total + 3;
            next.sum = 0x5a;
            last = next;
            write(&slots[last.value & 1], &next, sizeof next);
        }
    }
}
