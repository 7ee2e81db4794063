//! One task takes the reading and decides.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["sense", "judge"]
//@ config: transition = ["next_task"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;
void next_task(void);

int level;
int alarm;

static void sense(void) {
    level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
}

static void judge(void) {
}

int main(void) {
    for (;;) {
        sense();
        next_task();
        judge();
        next_task();
    }
}
