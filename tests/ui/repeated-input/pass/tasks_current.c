//! A task names its successor in a variable and returns; the reading decides in the next task.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["sense", "judge"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

typedef void task(void);

static void sense(void);
static void judge(void);

static task *current = sense;
int level;
int alarm;

static void sense(void) {
    level = read_adc();
    current = judge;
}

static void judge(void) {
    if (level > 7) {
        alarm = 1;
    }
    current = sense;
}

int main(void) {
    for (;;) {
        current();
    }
}
