//! Nothing enables interrupts, so that the handler never runs; but the program itself reads and overwrites.
//@ policy: static
//@ config: chip = "msp430fr5969"
#include <brownout.h>
#include <msp430.h>

BROWNOUT_NV unsigned events, done;

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    events++;
}

int main(void) {
    TA0CCTL0 = CCIE;
    brownout_checkpoint();
    done = done + 1;    //~ ERROR [war] `done`
    brownout_checkpoint();
    return 0;
}
