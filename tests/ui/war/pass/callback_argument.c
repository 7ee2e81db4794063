//! The same with two records: the one that counts is whole at any time.
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

static void on_tick(void *argument) {
    struct logs *logs = argument;
    unsigned next = logs->current ^ 1;
    logs->records[next].sum = logs->records[next ^ 1].sum + sense();
    logs->records[next].count = logs->records[next ^ 1].count + 1;
    logs->current = next;
}

int main(void) {
    every(100, on_tick, &samples);
    for (;;)
        wait_for_event();
}
