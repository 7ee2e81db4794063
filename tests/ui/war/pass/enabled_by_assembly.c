//! A handler by a vendor's word, in a program that disables interrupts by an instruction and never enables them.
//@ policy: restart
//@ target: msp430
#include <msp430.h>

unsigned steps __attribute__((section(".persistent"))) = 0;
unsigned laps __attribute__((section(".persistent"))) = 0;

#pragma vector = PORT2_VECTOR
__interrupt void wheel(void) {
    steps++;
    if (steps == 4) {
        steps = 0;
        laps++;
    }
}

int main(void) {
    __asm__ volatile("dint");
    for (;;) {
        P1OUT ^= 1;
    }
}
