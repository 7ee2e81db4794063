//! Functions of the program's own hand callbacks on: through parameters, a structure, and a variable.
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

struct log {
    unsigned sum;
    unsigned count;
};
BROWNOUT_NV struct log samples;
BROWNOUT_NV unsigned presses, total;

static struct timer timer;
static void (*pressed)(void);

static void set(struct timer *timer, void (*callback)(void *), void *argument) {
    timer->callback = callback;
    timer->argument = argument;
}

static void start_all(struct timer *timer) {
    start(timer);
    on_button(pressed);
}

static void on_tick(void *argument) {
    struct log *log = argument;
    log->count++; //~ ERROR [war] `samples.count`; confirmed
    log->sum += log->count;
}

static void on_press(void) {
    presses++; //~ ERROR [war] `presses`; confirmed
    total += presses;
}

int main(void) {
    set(&timer, on_tick, &samples);
    pressed = on_press;
    start_all(&timer);
    for (;;)
        wait_for_event();
}
