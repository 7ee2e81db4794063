//! The twin of `handler_flag`: what the handler tells decides whether something is written.
//@ verdict: unknown
//@ reason: `seen` can differ
#include <brownout.h>
#include <msp430.h>
volatile int pressed;
BROWNOUT_NV int seen;
__attribute__((interrupt(2))) void button(void) {
    pressed = 1;
}
int main(void) {
    __enable_interrupt();
    seen = 0;
    brownout_checkpoint();
    if (pressed)
        seen = 1;
    brownout_checkpoint();
    return 0;
}
