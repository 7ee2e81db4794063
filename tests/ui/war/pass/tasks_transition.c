//! Each task writes what it does not read.
//@ config: [power]
//@ config: policy = "tasks"
//@ config: tasks = ["task_*"]
//@ config: transition = ["transition_to"]
#include <brownout.h>

typedef struct {
    void (*function)(void);
    int number;
} task_t;

void transition_to(const task_t *next) __attribute__((noreturn));
#define TASK(number, name)                                                                         \
    void name(void);                                                                               \
    const task_t name##_task = {name, number};
#define TRANSITION_TO(name) transition_to(&name##_task)

TASK(1, task_init)
TASK(2, task_count)
TASK(3, task_report)
int rounds, next;
int reported;

void task_init(void) {
    rounds = 0;
    TRANSITION_TO(task_count);
}

void task_count(void) {
    next = rounds + 1;
    TRANSITION_TO(task_report);
}

void task_report(void) {
    rounds = next;
    reported = next;
    TRANSITION_TO(task_count);
}

int main(void) {
    TRANSITION_TO(task_init);
}
