//! A pointer in a structure that only a typedef names is called by that name.
//@ flags: -O0
//@ config: [[input]]
//@ config: pointer = "bus_t.read"
//@ config: fills = "arg0"
//@ config: length = "arg1"
//@ config: returns = 0

typedef struct {
    int (*read)(unsigned char *data, int length);
} bus_t;

static int hot;

int poll(bus_t *bus) {
    unsigned char data[1];
    int result = bus->read(data, 1);
    hot = data[0] > 10;
    return result;
}

int state(void) {
    return hot;
}
