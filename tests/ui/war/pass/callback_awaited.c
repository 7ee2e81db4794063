//! The same: the callback leaves the reading in volatile memory, and one store keeps both.
//@ policy: restart
//@ config: ignore = ["convert", "sleep"]
//@ config: [[input]]
//@ config: function = "converted"
#include <brownout.h>

void convert(void (*done)(void));
void sleep(void);
unsigned converted(void);

struct log {
    unsigned sum;
    unsigned count;
};
BROWNOUT_NV struct log logs[2];
BROWNOUT_NV unsigned current;
static volatile int is_done;
static unsigned reading;

static void on_done(void) {
    reading = converted();
    is_done = 1;
}

int main(void) {
    for (;;) {
        is_done = 0;
        convert(on_done);
        while (!is_done)
            sleep();
        unsigned next = current ^ 1;
        logs[next].sum = logs[current].sum + reading;
        logs[next].count = logs[current].count + 1;
        current = next;
    }
}
