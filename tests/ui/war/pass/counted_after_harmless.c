//! The mode is set and does no harm, whenever power fails. A message is counted after it was sent.
//@ policy: restart
#include <brownout.h>

void send(int mode) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile int mode;
BROWNOUT_NV volatile unsigned sent;

int main(void) {
    mode = 5;
    send(mode);
    sent++;
    return 0;
}
