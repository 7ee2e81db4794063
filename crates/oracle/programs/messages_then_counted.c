//! Messages without end, each counted after it was sent.
//@ restart: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int id;

int main(void) {
    for (;;) {
        send(id);
        id = id + 1;
    }
}
