//! The same, with both variables written on every side.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
static int above, below;

int attribute_set(int channel, int attribute) {
    if (attribute != 1)
        return -1;
    int side = sense() > 5;
    above = side;
    below = !side;
    return channel;
}

int sides(void) {
    return above - below;
}
