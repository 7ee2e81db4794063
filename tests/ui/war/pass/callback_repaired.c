//! `main` undoes what a callback was about to do, before it gives the callback away again.
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
BROWNOUT_NV struct log samples, before;
BROWNOUT_NV volatile int busy;

static void on_tick(void *argument) {
    (void)argument;
    before = samples;
    busy = 1;
    samples.sum += sense();
    samples.count++;
    busy = 0;
}

int main(void) {
    if (busy) {
        samples = before;
        busy = 0;
    }
    every(100, on_tick, 0);
    for (;;)
        wait_for_event();
}
