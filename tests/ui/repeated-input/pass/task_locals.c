//! A task that decides on a reading for its own local variables, and writes them at its end.
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
    high = is_high;
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
