//! Where handlers come, what set-up copies byte by byte is still one piece of work: power that fails after the first byte
//! leaves a number that nobody has stored, and every later boot takes it for one.
//@ policy: restart
//@ config: chip = "msp430fr5969"
#include <msp430.h>
#include <brownout.h>
#include <stdio.h>

BROWNOUT_NV unsigned char stored[2] = {255, 255};
volatile unsigned pulses;

int main(void) {
    int items = 23;
    P1IE |= BIT0;
    __enable_interrupt();
    if (stored[0] != 255) {
        items = stored[0] | stored[1] << 8;
    } else {
        for (int i = 0; i < 2; i++) {
            stored[i] = ((unsigned char *)&items)[i]; //~ ERROR [war] `stored[0]`
        }
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
