//! The timer is only enabled by a command that never comes: its handler does not run.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>

int first __attribute__((section(".persistent")));
int second __attribute__((section(".persistent")));
volatile int work;

void __attribute__((interrupt(TIMER0_A0_VECTOR))) tick(void) {
    first++;
    second++;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;

    __enable_interrupt();
    while (1) {
        if (work > 2) {
            TA0CCTL0 |= CCIE;
        }
        TA0CCTL0 &= ~CCIFG;
        work = 1;
        work = 2;
    }
}
