//! A handler that may come at any time and counts what it sees.
//@ verdict: unknown
//@ reason: `button` may be called at any time and uses `events`
#include <brownout.h>
#include <msp430.h>
BROWNOUT_NV volatile int events;
BROWNOUT_NV int seen;
__attribute__((interrupt(2))) void button(void) {
    events++;
}
int main(void) {
    __enable_interrupt();
    brownout_checkpoint();
    seen = events;
    brownout_checkpoint();
    return 0;
}
