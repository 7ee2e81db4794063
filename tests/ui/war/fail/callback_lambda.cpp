//! A lambda is given to a timer, with the object whose member it calls.
//@ policy: restart
//@ config: ignore = ["every", "wait_for_event"]
//@ config: [[input]]
//@ config: function = "sense"
#include <brownout.h>

extern "C" {
void every(unsigned ms, void (*callback)(void *), void *argument);
void wait_for_event(void);
unsigned sense(void);
}

struct Log {
    unsigned sum;
    unsigned count;
    void add() {
        sum += sense(); //~ ERROR [war] `samples.sum`; confirmed
        count++;
    }
};
BROWNOUT_NV Log samples = {0, 0};

int main() {
    every(100, [](void *log) { static_cast<Log *>(log)->add(); }, &samples);
    for (;;)
        wait_for_event();
}
