//! A registered function gets the reading; it clears both variables first.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

typedef void handler(int value);

static handler *registered;
int bright;
int dark;

static void on_light(int value) {
    bright = 0;
    dark = 0;
    if (value > 300) {
        bright = 1;
    } else {
        dark = 1;
    }
}

static void poll(void) {
    if (registered) {
        registered(read_adc());
    }
}

int main(void) {
    registered = on_light;
    brownout_checkpoint();
    poll();
    return 0;
}
