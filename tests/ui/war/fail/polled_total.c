//! A total of events and their number are told to a host that polls now and then: a failure between them leaves them apart.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned total;
BROWNOUT_NV unsigned number;
int event(void) BROWNOUT_INPUT_RANGE(1, 9);
int polled(void) BROWNOUT_INPUT_RANGE(0, 3);
void send(unsigned total, unsigned number) BROWNOUT_OUTPUT(absolute);

int main(void) {
    for (;;) {
        total = total + event(); //~ ERROR [war] `total`
        number = number + 1;
        if (polled() == 0)
            send(total, number);
    }
}
