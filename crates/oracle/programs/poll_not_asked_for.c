//! A total of events, which a host polls. A round that power cut before it asked for a poll is as if there had been none.
//@ restart: harmless
//@ input event: 10 20 35 5 11 21 36 6 12 22 37 7
//@ input polled: 0 1 1 0 1 0 1 1 1 0 1 1
#include <brownout.h>

BROWNOUT_NV volatile int total;
int event(void) BROWNOUT_INPUT;
int polled(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT(absolute);

int main(void) {
    for (;;) {
        total = (total + event()) & 1023;
        if (polled() == 0)
            send(total);
    }
}
