//! A handler that counts events in two variables: a failure between the two leaves them apart.
#include <msp430.h>

int first __attribute__((section(".nv")));
int second __attribute__((section(".nv")));
volatile int work;
void checkpoint(void);

#pragma vector = TIMER0_A0_VECTOR
__interrupt void tick(void) {
    first++; //~ ERROR [war] `first`
             //~| ERROR [war] `first`
             //~^^ NOTE [war] read here
    second++; //~ NOTE [war] `second`
              //~| NOTE [war] `second`
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
