//! A function that reads through a pointer nobody sets may fail, and says so with its result.
//@ args: --static
#include <stdbool.h>

struct bus { bool (*read)(int reg, unsigned char *to, int length); };
int hot, cold;

bool sample(struct bus *bus) {
    unsigned char value;
    if (!bus->read(0, &value, 1)) //~ ERROR [repeated-input] `hot`
        return false;
    if (value > 30) //~ ERROR [repeated-input] `hot`
        hot = 1;
    else
        cold = 1;
    return true;
}
