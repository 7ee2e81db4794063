//! Two callbacks that have nothing to do with each other: the rounds of one are not those of the other.
//@ policy: restart
//@ config: ignore = ["start", "on_button", "wait_for_event"]
#include <brownout.h>

struct timer {
    unsigned ms;
    void (*callback)(void *);
    void *argument;
};
void start(const struct timer *timer);
void on_button(void (*callback)(void));
void wait_for_event(void);

BROWNOUT_NV unsigned ticks;
BROWNOUT_NV unsigned presses, sum;

static void on_tick(void *argument) { ++*(unsigned *)argument; }

static void on_press(void) {
    presses++; //~ ERROR [war] `presses`; confirmed
    sum += presses;
}

int main(void) {
    struct timer timer = {100, on_tick, &ticks};
    start(&timer);
    on_button(on_press);
    for (;;)
        wait_for_event();
}
