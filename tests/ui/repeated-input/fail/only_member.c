//! Structures with one member: that is what is written, not the structure.
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
    if (sense() > 3) { //~ ERROR [repeated-input] whether `gate->open` is written
        gate->open = 1;
    }
}

void yard_poll(struct yard *yard) {
    if (sense() > 3) { //~ ERROR [repeated-input] whether `yard->gate.open` is written
        yard->gate.open = 1;
    }
}
