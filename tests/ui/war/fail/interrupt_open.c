//! A handler that enables interrupts: another one comes while it runs, and counts in two variables.
//@ policy: restart
#include <msp430.h>

int first __attribute__((section(".nv")));
int second __attribute__((section(".nv")));
volatile int busy, work;

void __attribute__((interrupt(TIMER0_A0_VECTOR))) slow(void) {
    busy = 1;
    __enable_interrupt();
    work = 3;
    busy = 0;
}

void __attribute__((interrupt(TIMER1_A0_VECTOR))) quick(void) {
    if (busy) {
        first++; //~ ERROR [war] `first`
        second++;
    }
}

int main(void) {
    __enable_interrupt();
    while (1) {
        work = 1;
        work = 2;
    }
}
