//! `main` says where the callback writes next: beside the record that counts, never into it.
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
struct logs {
    struct log records[2];
    unsigned current;
};
BROWNOUT_NV struct logs samples;
static unsigned other;

static void on_tick(void *argument) {
    (void)argument;
    unsigned next = samples.current ^ other;
    samples.records[next].sum = samples.records[samples.current].sum + sense();
    samples.records[next].count = samples.records[samples.current].count + 1;
    samples.current = next;
}

int main(void) {
    other = 1;
    every(100, on_tick, 0);
    for (;;)
        wait_for_event();
}
