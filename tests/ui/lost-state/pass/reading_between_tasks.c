//! A task hands its reading on in non-volatile memory.
//@ policy: tasks
//@ config: [power]
//@ config: tasks = ["task_*"]
//@ config: transition = ["transition_to"]
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [21, 22]
#include <brownout.h>

void transition_to(void (*task)(void));
int sense(void);
void show(int value) BROWNOUT_OUTPUT();
void task_store(void);
void task_show(void);

BROWNOUT_NV static int reading;
BROWNOUT_NV int stored;

void task_sense(void) {
    reading = sense();
    transition_to(task_store);
}

void task_store(void) {
    stored = reading;
    transition_to(task_show);
}

void task_show(void) {
    show(stored);
    transition_to(task_sense);
}

int main(void) {
    task_sense();
    return 0;
}
