//! A handler that counts events: those of an attempt that failed did happen.
#include <msp430.h>

int first __attribute__((section(".nv")));
volatile int work;
void checkpoint(void);

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    first++; //~ NOTE [war] `first`
             //~| NOTE [war] `first`
             //~^^ NOTE [war] read here
}

int main(void) {
    __enable_interrupt();
    while (1) {
        checkpoint();
        work = 1;
        work = 2;
    }
}
