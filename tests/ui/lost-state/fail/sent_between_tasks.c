//! What the reboot loses was to be sent.
//@ policy: tasks
//@ config: [power]
//@ config: tasks = ["task_*"]
//@ config: transition = ["transition_to"]
#include <brownout.h>

void transition_to(void (*task)(void));
void radio(int value) BROWNOUT_OUTPUT();
void task_send(void);

static int packet;
BROWNOUT_NV int channel = 3;

void task_make(void) {
    packet = 7;
    transition_to(task_send);
}

void task_send(void) { //~ ERROR [lost-state] `packet`; radio(10)
    radio(channel + packet);
    transition_to(task_make);
}

int main(void) {
    task_make();
    return 0;
}
