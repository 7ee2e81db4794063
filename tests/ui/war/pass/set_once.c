//! Bits that are set again, and a flag that is set when everything is done.
#include <brownout.h>
void send(int number) BROWNOUT_OUTPUT(absolute);
static unsigned flags;
static char sent;

void on_interrupt(void) {
    flags |= 4;
}

void send_once(void) {
    if (!sent) {
        send(7);
        sent = 1;
    }
}

unsigned flags_now(void) {
    return flags;
}
