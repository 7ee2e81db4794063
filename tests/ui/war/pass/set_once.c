//! Variables that nobody else can read take only so many values: when all calls in all states were tried, the
//! suspicion is gone.
#include <brownout.h>
void send(int number) BROWNOUT_OUTPUT(absolute);
static unsigned flags;
static char sent;

void on_interrupt(void) {
    flags |= 4; //~ NOTE [war] `flags`; benign
}

void send_once(void) {
    if (!sent) { //~ NOTE [war] read here
        send(7);
        sent = 1; //~ NOTE [war] `sent`; benign
    }
}

unsigned flags_now(void) {
    return flags;
}
