//! A reboot switches the radio off: the task switches it on once more, and sends what is kept.
//@ policy: tasks
//@ config: [power]
//@ config: tasks = ["task_*"]
//@ config: transition = ["transition_to"]
#include <brownout.h>

void transition_to(void (*task)(void));
void radio(int value) BROWNOUT_OUTPUT();
void radio_on(void) BROWNOUT_OUTPUT();
void task_send(void);

static int is_on;
BROWNOUT_NV static int packet;

void task_make(void) {
    packet = 7;
    transition_to(task_send);
}

void task_send(void) {
    if (!is_on) {
        radio_on();
        is_on = 1;
    }
    radio(packet);
    transition_to(task_make);
}

int main(void) {
    task_make();
    return 0;
}
