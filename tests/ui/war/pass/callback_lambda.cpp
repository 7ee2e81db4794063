//! The member writes the record that does not count.
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

struct Record {
    unsigned sum;
    unsigned count;
};
struct Log {
    Record records[2];
    unsigned current;
    void add() {
        unsigned next = current ^ 1;
        records[next].sum = records[current].sum + sense();
        records[next].count = records[current].count + 1;
        current = next;
    }
};
BROWNOUT_NV Log samples = {};

int main() {
    every(100, [](void *log) { static_cast<Log *>(log)->add(); }, &samples);
    for (;;)
        wait_for_event();
}
