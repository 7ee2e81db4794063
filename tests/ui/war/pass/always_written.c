//! What the input gives is written in every attempt, and not read before.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [0, 1, 2]
#include <brownout.h>

int sense(void);
BROWNOUT_NV int level, twice;

int main(void) {
    brownout_checkpoint();
    int reading = sense();
    level = reading;
    if (reading < 5)
        twice = 2 * level;
    else
        twice = 0;
    brownout_checkpoint();
    return 0;
}
