//! A driver that does nothing without a certain channel and a configuration that is not zero: the harness has them.
//@ args: --static --restart-at function
//@ config: [[harness]]
//@ config: function = "poll"
//@ config: args = [0x5a17, "&defaults"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct configuration {
    int threshold;
    int is_on;
};

const struct configuration defaults = { 7, 1 };
static int seen;

void poll(int channel, const struct configuration *configuration) {
    if (channel != 0x5a17 || !configuration->is_on) {
        return;
    }
    seen = 0;
    if (read_adc() > configuration->threshold) {
        seen = 1;
    }
}

int has_seen(void) {
    return seen;
}
