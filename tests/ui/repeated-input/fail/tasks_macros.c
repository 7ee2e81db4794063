//! Tasks as macros of a task library declare them, reached through its dispatcher only; one reads the sensor and decides.
//@ args: --static
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["task_init", "task_sense", "task_judge"]
//@ config: transition = ["transition_to"]
#include <brownout.h>

typedef struct {
    void (*function)(void);
    int number;
} task_t;

void transition_to(const task_t *next) __attribute__((noreturn));
int read_adc(void) BROWNOUT_INPUT;

#define TASK(number, name)                                                                         \
    void name(void);                                                                               \
    const task_t name##_task = {name, number};
#define TRANSITION_TO(name) transition_to(&name##_task)

TASK(1, task_init)
TASK(2, task_sense)
TASK(3, task_judge)

int level;
int alarm;
int calm;

void task_init(void) {
    level = 0;
    TRANSITION_TO(task_sense);
}

void task_sense(void) {
    level = read_adc();
    if (level > 7) { //~ ERROR [repeated-input] whether `alarm` and `calm` are written
        alarm = 1;
    } else {
        calm = 1;
    }
    TRANSITION_TO(task_judge);
}

void task_judge(void) {
    TRANSITION_TO(task_sense);
}

int main(void) {
    TRANSITION_TO(task_init);
}
