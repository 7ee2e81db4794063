//! A structure with the reading is passed by value.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct event {
    int source;
    int strength;
    int at[6];
};

int noticed;

static void handle(struct event event) {
    if (event.strength > 7) { //~ ERROR [repeated-input] whether `noticed` is written
        noticed = 1;
    }
}

int main(void) {
    brownout_checkpoint();
    struct event event = {1, 0, {0}};
    event.strength = read_adc();
    handle(event);
    return 0;
}
