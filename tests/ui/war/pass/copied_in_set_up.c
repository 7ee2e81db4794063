//! A flag that is set last says that set-up has copied everything, also where handlers come.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV unsigned char stored[2] = {255, 255};
BROWNOUT_NV unsigned char is_stored;
volatile unsigned pulses;

int main(void) {
    int items = 23;
    P1IE |= BIT0;
    __enable_interrupt();
    if (is_stored) {
        items = stored[0] | stored[1] << 8;
    } else {
        for (int i = 0; i < 2; i++) {
            stored[i] = ((unsigned char *)&items)[i];
        }
        is_stored = 1;
    }
    for (;;) {
        printf("%d\n", items);
    }
}

#pragma vector = PORT1_VECTOR
__interrupt void port(void) {
    pulses++;
    P1IFG = 0;
}
