//! A packet from a known node updates its entry, another one is added to the list: the list grows in an attempt that is forgotten.
//@ args: --static
//@ config: [[input]]
//@ config: function = "radio_receive"
//@ config: fills = "arg0"
//@ config: length = "arg1"
//@ config: [power]
//@ config: saves = ["nodes", "known"]
#include <brownout.h>

#define NODES 4

struct packet {
    int address;
    int value;
};

int radio_receive(struct packet *to, int bytes);

struct packet nodes[NODES];
int known;
int received;
int dropped;

static int is_known(int address) {
    for (int i = 0; i < known; i++) {
        if (nodes[i].address == address) {
            return 1;
        }
    }
    return 0;
}

static void update(const struct packet *packet) {
    for (int i = 0; i < NODES; i++) {
        if (nodes[i].address == packet->address) {
            nodes[i].value = packet->value;
        }
    }
}

static void add(const struct packet *packet) {
    if (known < NODES) {
        nodes[known] = *packet;
        known = known + 1;
    }
}

int main(void) {
    for (;;) {
        struct packet packet;
        brownout_checkpoint();
        int bytes = radio_receive(&packet, sizeof packet);
        if (bytes != sizeof packet) { //~ ERROR [repeated-input] whether `dropped` and `received` are written
            dropped = 1;
            continue;
        }
        received = 1;
        if (is_known(packet.address)) {
            update(&packet);
        } else {
            add(&packet);
        }
    }
}
