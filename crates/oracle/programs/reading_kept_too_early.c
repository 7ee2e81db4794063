//! A reading counts as kept before it is: after a failure in between the boot sends the last one again.
//@ restart: harm
//@ input sense: 21 22 23 24 25 26 27
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int payload;
BROWNOUT_NV volatile int ready;

int main(void) {
    for (;;) {
        if (!ready) {
            ready = 1;                              //~ restart: send
            payload = sense();
        }
        send(payload);
        ready = 0;
    }
}
