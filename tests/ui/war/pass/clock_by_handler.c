//! A handler counts ticks, and minutes are computed from them where they are wanted.
//@ policy: restart
#include <msp430.h>

volatile unsigned ticks __attribute__((section(".persistent")));

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    __bis_SR_register(GIE);
    for (;;)
        __bis_SR_register(LPM3_bits);
}

void __attribute__((interrupt(RTC_VECTOR))) tick(void) {
    switch (RTCIV) {
    case 2:
        ticks++;
        break;
    default:
        break;
    }
}
