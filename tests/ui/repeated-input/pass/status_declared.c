//! A result that is always the same decides nothing; what is read beside it does.
//@ config: [[input]]
//@ config: function = "bus_read"
//@ config: fills = "arg0"
//@ config: length = "arg1"
//@ config: returns = 0
//@ config: [[input]]
//@ config: function = "bus_ready"
//@ config: constant = 1

int bus_read(unsigned char *data, int length);
int bus_ready(void);

static int hot, last;

int poll(void) {
    unsigned char data[1];
    if (!bus_ready() || bus_read(data, 1) != 0) {
        last = -1;
        return -1;
    }
    hot = data[0] > 10;
    return 0;
}

int state(void) {
    return hot + last;
}
