//! A handler copies what the region changes.
//@ verdict: unknown
//@ reason: `button` may be called at any time and uses `level`
#include <brownout.h>
#include <msp430.h>
volatile int copy;
BROWNOUT_NV volatile int level = 5;
BROWNOUT_NV int seen;
__attribute__((interrupt(2))) void button(void) {
    copy = level;
}
int main(void) {
    __enable_interrupt();
    brownout_checkpoint();
    seen = copy;
    level = 5;
    brownout_checkpoint();
    return 0;
}
