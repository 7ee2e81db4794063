//! Attributes of C23, and of GCC without a vector, say that functions are handlers as well.
//@ policy: restart
//@ target: msp430
#include <msp430.h>

static unsigned first __attribute__((section(".persistent"))) = 0;
static unsigned second __attribute__((section(".persistent"))) = 0;
static unsigned third __attribute__((section(".persistent"))) = 0;
static unsigned fourth __attribute__((section(".persistent"))) = 0;

[[interrupt(TIMER0_A0_VECTOR)]] void timer(void) {
    first++; //~ ERROR [war] `first`
    if (first == 3) {
        first = 0;
        second++;
    }
}

void __attribute__((interrupt)) port(void) {
    third++; //~ ERROR [war] `third`
    if (third == 5) {
        third = 0;
        fourth++;
    }
}

int main(void) {
    __enable_interrupt();
    for (;;) {
        P1OUT ^= 1;
    }
}
