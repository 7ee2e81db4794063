//! A driver goes on only if the bus says that it took what was written to it: what comes after that is executed, too.
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
    if (bus_read(0x21) > 30) { //~ ERROR [repeated-input] whether `alarm` is written; `alarm` = 1 instead of 0
        alarm = 1;
    }
    return 0;
}
