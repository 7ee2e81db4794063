//! A reading is kept, sent, and released: after a failure the boot sends what was kept before it reads
//! again. From then on it is one reading behind a boot that has nothing to send, and that is no harm.
//@ restart: harmless
//@ input sense: 21 22 23 24 25 26 27
#include <brownout.h>

int sense(void) BROWNOUT_INPUT;
void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int payload;
BROWNOUT_NV int ready;

int main(void) {
    for (;;) {
        if (!ready) {
            payload = sense();
            ready = 1;
        }
        send(payload);
        ready = 0;
    }
}
