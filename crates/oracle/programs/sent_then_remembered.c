//! A message that is sent, then remembered: it may be sent twice and is never lost.
//@ restart: harmless
//@ static: harmless
//@ reactive: harmless
#include <brownout.h>

void send(int value) BROWNOUT_OUTPUT();

BROWNOUT_NV int sent;

int main(void) {
    brownout_checkpoint();
    if (!sent) {
        send(1);
        sent = 1;
    }
    brownout_checkpoint();
    send(2);
    return 0;
}
