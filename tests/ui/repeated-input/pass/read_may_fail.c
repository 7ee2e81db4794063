//! Both are written whatever was read, and if nothing was.
//@ args: --static
#include <stdbool.h>

struct bus { bool (*read)(int reg, unsigned char *to, int length); };
int hot, cold;

bool sample(struct bus *bus) {
    unsigned char value = 0;
    bool done = bus->read(0, &value, 1);
    hot = done && value > 30;
    cold = done && value <= 30;
    return done;
}
