//! `main` waits for what only the callback sets: it comes there.
//@ policy: restart
//@ config: ignore = ["convert", "sleep"]
//@ config: [[input]]
//@ config: function = "converted"
#include <brownout.h>

void convert(void (*done)(void));
void sleep(void);
unsigned converted(void);

BROWNOUT_NV unsigned sum;
BROWNOUT_NV unsigned count;
static volatile int is_done;

static void on_done(void) {
    sum += converted(); //~ ERROR [war] `sum`; confirmed
    is_done = 1;
}

int main(void) {
    for (;;) {
        is_done = 0;
        convert(on_done);
        while (!is_done)
            sleep();
        count++;
    }
}
