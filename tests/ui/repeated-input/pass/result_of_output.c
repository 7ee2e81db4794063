//! A driver goes on only if the bus says that it took what was written to it; then it always writes its result.
//@ config: [[output]]
//@ config: function = "bus_write"
//@ config: [[input]]
//@ config: function = "bus_read"

int bus_write(int reg, int value);
int bus_read(int reg);

int alarm;

int measure(void) {
    if (bus_write(0x20, 7) != 1) {
        return -1;
    }
    if (bus_read(0x21) > 30) {
        alarm = 1;
    } else {
        alarm = 0;
    }
    return 0;
}
