//! Something is remembered before it is done: after a power failure between the two it is never done.
#include <brownout.h>
void send(int number) BROWNOUT_OUTPUT(absolute);
static unsigned flags;
static char sent;

void on_interrupt(void) {
    flags |= 4;
}

void send_once(void) {
    if (!sent) { //~ NOTE [war] read here
        sent = 1; //~ ERROR [war] `sent`; confirmed
        send(7);
    }
}

unsigned flags_now(void) {
    return flags;
}
