//! What the callback does depends on what `main` has set before it gave the callback away.
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
static int counts;

static void on_tick(void *argument) {
    (void)argument;
    samples.sum += sense(); //~ ERROR [war] `samples.sum`; confirmed
    if (counts)
        samples.count++;
}

int main(void) {
    counts = 1;
    every(100, on_tick, 0);
    for (;;)
        wait_for_event();
}
