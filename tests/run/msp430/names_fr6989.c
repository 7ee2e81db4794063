//! Names of TI's examples for the MSP430FR6989: the display, and the clock of RTC_C.
#include <msp430fr6989.h>
#include <stdio.h>
void __attribute__((interrupt(LCD_C_VECTOR))) framed(void) {
    switch (__even_in_range(LCDCIV, LCDCIV_LCDFRMIFG)) {
    case LCDCIV_NONE: case LCDCIV_LCDNOCAPIFG: case LCDCIV_LCDCLKOFFIFG: case LCDCIV_LCDCLKONIFG: case LCDCIV_LCDFRMIFG: break;
    }
}
void __attribute__((interrupt(ESCAN_IF_VECTOR))) scanned(void) {}
void __attribute__((interrupt(RTC_VECTOR))) ticked(void) {
    switch (__even_in_range(RTCIV, RTCIV_RT1PSIFG)) {
    case RTCIV_NONE: case RTCIV_RTCOFIFG: case RTCIV_RTCRDYIFG: case RTCIV_RTCTEVIFG: case RTCIV_RTCAIFG:
    case RTCIV_RT0PSIFG: case RTCIV_RT1PSIFG: break;
    }
}
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    LCDCPCTL0 = LCDS0 | LCDS4 | LCDS15; LCDCPCTL1 = LCDS16 | LCDS31; LCDCPCTL2 = LCDS32 | LCDS43;
    LCDCCTL0 = LCDDIV__1 | LCDPRE__16 | LCD4MUX | LCDLP;
    LCDCVCTL = VLCD_1 | VLCDREF_0 | LCDCPEN;
    LCDCCPCTL = LCDCPCLKSYNC;
    LCDCMEMCTL = LCDCLRM;
    LCDCBLKCTL = LCDBLKPRE__512 | LCDBLKDIV__4 | LCDBLKMOD_1;
    LCDM1 = 0x10; LCDM43 = 1; LCDBM4 = 2;
    LCDCCTL0 |= LCDON;
    LCDCCTL1 = LCDFRMIE;
    RTCCTL0_H = RTCKEY_H; RTCCTL0_L = RTCTEVIE_L | RTCRDYIE_L; RTCCTL1 = RTCBCD | RTCHOLD | RTCMODE;
    RTCAMIN = RTCAE; RTCOCAL = RTCOCALS;
    printf("%x %x %x %x\n", LCD4MUX, LCDDIV__32, LCDDIV_3, LCDPRE__32);
    printf("%x %x %x %x\n", VLCD_15, VLCD_3_44, LCDCPEN, LCDS43);
    printf("%x %x %x\n", LCDCPCLKSYNC, LCDBLKPRE__65536, LCDCIV_LCDFRMIFG);
    printf("%x %x %x %x\n", RTCBCD, RTCHOLD, RTCIV_RTCRDYIFG, RTCIV__RTCRDYIFG);
    return 0;
}
