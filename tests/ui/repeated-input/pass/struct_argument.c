//! A structure with the reading is passed by value; what it decides is stored.
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
    noticed = event.strength > 7;
}

int main(void) {
    brownout_checkpoint();
    struct event event = {1, 0, {0}};
    event.strength = read_adc();
    handle(event);
    return 0;
}
