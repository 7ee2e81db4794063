//! Structures with one member, which is written on every side.
//@ args: --static
//@ config: [[input]]
//@ config: function = "sense"
int sense(void);

struct gate {
    unsigned char open;
};

struct yard {
    struct gate gate;
};

void gate_poll(struct gate *gate) {
    if (sense() > 3) {
        gate->open = 1;
    } else {
        gate->open = 0;
    }
}

void yard_poll(struct yard *yard) {
    if (sense() > 3) {
        yard->gate.open = 1;
    } else {
        yard->gate.open = 0;
    }
}
