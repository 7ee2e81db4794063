//! The timer's interrupt is enabled: it may come, and be cut in the middle.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>

int first __attribute__((section(".persistent")));
int second __attribute__((section(".persistent")));
volatile int work;

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    first++;    //~ ERROR [war] `first`
    second++;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    TA0CCTL0 = CCIE;
    __enable_interrupt();
    while (1) {
        work = 1;
        work = 2;
    }
}
