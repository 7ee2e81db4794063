//! The mode is set and does no harm, whenever power fails. A message is counted before it is sent: after a failure in
//! between one is counted that nobody has got.
//@ policy: restart
#include <brownout.h>

void send(int mode) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile int mode;
BROWNOUT_NV volatile unsigned sent;

int main(void) {
    mode = 5;
    sent++; //~ ERROR [war] `sent`
    send(mode);
    return 0;
}
