//! A message is taken off the queue when it is acknowledged.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV int queue[4] = {11, 22, 33, 44};
BROWNOUT_NV int next;
int acknowledged(void) BROWNOUT_INPUT_RANGE(0, 1);
void send(int value) BROWNOUT_OUTPUT(relative);

int main(void) {
    for (;;) {
        int now = next;
        send(queue[now & 3]);
        if (acknowledged())
            next = now + 1;
    }
}
