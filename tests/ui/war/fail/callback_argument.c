//! A timer is given a callback and what it is about: a failure between two members leaves half of a sample.
//@ policy: restart
//@ config: ignore = ["every", "wait_for_event"]
//@ config: [[input]]
//@ config: function = "sense"
#include <brownout.h>

void every(unsigned ms, void (*callback)(void *), void *argument);
void wait_for_event(void);
unsigned sense(void);

struct log {
    unsigned sum;
    unsigned count;
};
BROWNOUT_NV struct log samples;

static void on_tick(void *argument) {
    struct log *log = argument;
    log->sum += sense(); //~ ERROR [war] `samples.sum`; confirmed
    log->count++;
}

int main(void) {
    every(100, on_tick, &samples);
    for (;;)
        wait_for_event();
}
