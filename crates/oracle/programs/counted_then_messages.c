//! Messages without end, each counted before it is sent: one gets lost.
//@ restart: harm
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int id;

int main(void) {
    for (;;) {
        id = id + 1;    //~ restart: send
        send(id);
    }
}
