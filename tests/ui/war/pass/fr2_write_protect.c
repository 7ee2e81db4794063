//! One count is enough.
//@ policy: restart
//@ config: chip = "msp430fr2433"
#include <msp430.h>

__attribute__((persistent)) static unsigned taken = 0;

__attribute__((interrupt(RTC_VECTOR))) void tick(void) {
    if (RTCIV == RTCIV_RTCIF)
        __bic_SR_register_on_exit(LPM3_bits);
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    SYSCFG2 |= RTCCKSEL;
    RTCMOD = 63;
    RTCCTL = RTCSS_1 | RTCSR | RTCPS__1024 | RTCIE;
    for (;;) {
        __bis_SR_register(LPM3_bits | GIE);
        SYSCFG0 = FRWPPW | DFWP;
        taken++;
        SYSCFG0 = FRWPPW | PFWP | DFWP;
    }
}
