//! A function that does something for one of many numbers only.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
static int above, below;

int attribute_set(int channel, int attribute) {
    if (attribute != 1)
        return -1;
    if (sense() > 5) //~ ERROR [repeated-input] `above` and `below`; confirmed
        above = 1;
    else
        below = 1;
    return channel;
}

int sides(void) {
    return above - below;
}
