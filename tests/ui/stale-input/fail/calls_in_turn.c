//! Code without a `main`: what one call reads another one uses, and power may have been off in between.
#include <brownout.h>
BROWNOUT_MOST_RECENT int temperature;
int sense(void) BROWNOUT_INPUT;

void fetch(void) {
    temperature = sense(); //~ ERROR [stale-input] `temperature` holds a reading of `sense`
}

int is_hot(void) {
    return temperature > 30; //~ NOTE [stale-input] used here
}
