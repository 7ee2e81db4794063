//! With checkpoints nothing says when a callback comes: that no execution called it is said.
//@ unknown: `on_tick` is never executed
//@ config: ignore = ["every"]
#include <brownout.h>

void every(unsigned ms, void (*callback)(void));

BROWNOUT_NV unsigned ticks, rounds;

static void on_tick(void) { ticks = 1; }

int main(void) {
    every(100, on_tick);
    for (;;) {
        brownout_checkpoint();
        rounds = 1;
    }
}
