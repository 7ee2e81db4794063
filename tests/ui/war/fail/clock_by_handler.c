//! A handler counts ticks of four a minute. Nobody names the chip: that `RTCIV` says which interrupt it was is known all the same.
//@ policy: restart
#include <msp430.h>

volatile unsigned char ticks __attribute__((section(".persistent")));
volatile unsigned minutes __attribute__((section(".persistent")));

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    __bis_SR_register(GIE);
    for (;;)
        __bis_SR_register(LPM3_bits);
}

void __attribute__((interrupt(RTC_VECTOR))) tick(void) {
    switch (RTCIV) {
    case 2:
        ticks++; //~ ERROR [war]
        if (ticks == 4) {
            ticks = 0;
            minutes++;
        }
        break;
    default:
        break;
    }
}
