//! A total of events is told to a host that polls now and then: a round that was cut before it asked is like one in which
//! the host did not poll.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned total;
int event(void) BROWNOUT_INPUT_RANGE(1, 9);
int polled(void) BROWNOUT_INPUT_RANGE(0, 3);
void send(unsigned total) BROWNOUT_OUTPUT(absolute);

int main(void) {
    for (;;) {
        total = total + event();
        if (polled() == 0)
            send(total);
    }
}
