//! Settings in two slots: the one that is not in use is written, its checksum last. A local that set-up code alone needs
//! may be another after a failure.
//@ policy: restart
#include <brownout.h>

struct slot {
    unsigned count, address, sum;
};

unsigned char command(void) BROWNOUT_INPUT;
void configure(unsigned address) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV struct slot slots[2];
struct slot *current;

static unsigned sum(const struct slot *slot) {
    return (slot->count * 7 + slot->address) ^ 0x55AA;
}

static void save(unsigned address) {
    struct slot *other = current == &slots[0] ? &slots[1] : &slots[0];
    unsigned count = current ? current->count + 1 : 1;
    other->sum = ~sum(other);
    other->count = count;
    other->address = address;
    other->sum = sum(other);
    current = other;
}

int main(void) {
    int first = slots[0].sum == sum(&slots[0]), second = slots[1].sum == sum(&slots[1]);
    if (first && second) {
        current = (int)(slots[0].count - slots[1].count) > 0 ? &slots[0] : &slots[1];
    } else if (first) {
        current = &slots[0];
    } else if (second) {
        current = &slots[1];
    } else {
        save(1);
    }
    configure(current->address);
    for (;;) {
        if (command() == 'A') {
            save(current->address % 200 + 1);
            configure(current->address);
        }
    }
}
