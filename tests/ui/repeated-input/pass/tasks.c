//! One task takes the reading, the next decides.
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
}

static void judge(void) {
    if (level > 7) {
        alarm = 1;
    }
}

int main(void) {
    for (;;) {
        sense();
        next_task();
        judge();
        next_task();
    }
}
