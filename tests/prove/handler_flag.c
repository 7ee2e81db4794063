//! A handler tells the program something in volatile memory: a reading, which decides nothing that lasts.
//@ verdict: proved
#include <brownout.h>
#include <msp430.h>
volatile int pressed;
BROWNOUT_NV int seen, count[4];
__attribute__((interrupt(2))) void button(void) {
    pressed = 1;
}
int main(void) {
    __enable_interrupt();
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint();
        seen = pressed ? i : -1;
        count[i] = seen;
    }
    return 0;
}
