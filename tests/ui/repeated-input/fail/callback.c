//! A registered function gets the reading and decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

typedef void handler(int value);

static handler *registered;
int bright;
int dark;

static void on_light(int value) {
    if (value > 300) { //~ ERROR [repeated-input] whether `bright` and `dark` are written
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
