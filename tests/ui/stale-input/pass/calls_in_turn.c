//! The same, used in the call that reads it.
#include <brownout.h>
BROWNOUT_MOST_RECENT int temperature;
int sense(void) BROWNOUT_INPUT;

int is_hot(void) {
    temperature = sense();
    return temperature > 30;
}
