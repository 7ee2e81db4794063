//! What the program puts into a kernel's own table is called by nobody here: that is said.
//@ policy: restart
//@ unknown: `on_tick` is never called
//@ config: ignore = ["wait_for_event"]
#include <brownout.h>

struct kernel {
    void (*tick)(void *);
};
extern struct kernel kernel;
void wait_for_event(void);

BROWNOUT_NV unsigned counts[2];

static void on_tick(void *argument) {
    (void)argument;
    unsigned *count = counts;
    count[0]++;
    count[1] += count[0];
}

int main(void) {
    kernel.tick = on_tick;
    for (;;)
        wait_for_event();
}
