//! An interrupt handler counts in two variables: a power failure between the two leaves them apart.
//@ verdict: counterexample
//@ finding: war first
#include <brownout.h>
#include <msp430.h>
BROWNOUT_NV int first, second;
volatile int work;
__attribute__((interrupt(TIMER0_A0_VECTOR))) void tick(void) {
    first++;
    second++;
}
int main(void) {
    __enable_interrupt();
    while (1) {
        brownout_checkpoint();
        work = 1;
        work = 2;
    }
}
