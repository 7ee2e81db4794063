//! A task that decides on a reading and writes on one side; the next task does not look at it.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["sense", "rest"]
//@ config: transition = ["next_task"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void next_task(void);

int high;
int level;

static void sense(void) {
    int now = read_adc();
    int is_high = 0;
    if (now > 7) {
        is_high = 1;
    }
    level = now;
    if (is_high) { //~ ERROR [repeated-input] whether `high` is written
        high = 1;
    }
}

static void rest(void) {
}

int main(void) {
    for (;;) {
        sense();
        next_task();
        rest();
        next_task();
    }
}
