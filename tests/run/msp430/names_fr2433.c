//! Names of TI's examples for the MSP430FR2433: clocks and the loop that locks them, the reference, the converter.
#include <msp430fr2433.h>
#include <stdio.h>
void __attribute__((interrupt(ADC_VECTOR))) converted(void) {
    switch (__even_in_range(ADCIV, ADCIV_ADCIFG)) {
    case ADCIV_NONE: case ADCIV_ADCOVIFG: case ADCIV_ADCTOVIFG: case ADCIV_ADCHIIFG: case ADCIV_ADCLOIFG:
    case ADCIV_ADCINIFG: case ADCIV_ADCIFG: break;
    }
}
void __attribute__((interrupt(RTC_VECTOR))) ticked(void) {
    switch (__even_in_range(RTCIV, RTCIV_RTCIF)) {
    case RTCIV_NONE: case RTCIV_RTCIF: break;
    }
}
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    CSCTL3 |= SELREF__REFOCLK;
    CSCTL0 &= ~(DCO0 | DCO1 | DCO8 | MOD0);
    CSCTL1 = DCOFTRIMEN | DCOFTRIM0 | DCOFTRIM1 | DCORSEL_3;
    CSCTL2 = FLLD_0 + 243;
    CSCTL4 = SELMS__DCOCLKDIV | SELA__REFOCLK;
    CSCTL5 |= DIVM__2 | DIVS__4 | VLOAUTOOFF;
    CSCTL6 = XT1DRIVE_3 | XT1AUTOOFF;
    CSCTL7 &= ~(DCOFFG | XT1OFFG | FLLUNLOCK0 | FLLUNLOCK1 | FLLULPUC);
    CSCTL8 = ACLKREQEN | MODOSCREQEN;
    PMMCTL2 |= INTREFEN | TSENSOREN | EXTREFEN | REFVSEL_0;
    SYSCFG2 |= ADCPCTL1;
    ADCCTL0 = ADCSHT_2 | ADCON; ADCCTL1 = ADCSHP | ADCSHS_2; ADCCTL2 = ADCRES; ADCMCTL0 = ADCINCH_12 | ADCSREF_1;
    ADCIE = ADCIE0; ADCIFG = 0;
    BAKMEM0 = 1;
    RTCMOD = 10 - 1; RTCCTL = RTCSS__XT1CLK | RTCSR | RTCPS__1024 | RTCIE;
    printf("%x %x %x %x\n", FLLUNLOCK, FLLUNLOCK0, XT1OFFG, DCOFFG);
    printf("%x %x %x %x\n", SELMS__VLOCLK, SELREF__REFOCLK, SELA__REFOCLK, DCORSEL_5);
    printf("%x %x %x %x\n", DCOFTRIM_7, DCOFTRIMEN, FLLD__8, DIVM__128);
    printf("%x %x %x %x\n", INTREFEN, TSENSOREN, EXTREFEN, REFVSEL_2);
    printf("%x %x %x %x\n", ADCIV_ADCIFG, ADCSREF_1, RTCIV_RTCIF, RTCPS__1024);
    printf("%x %x %x\n", SYSRSTIV_FLLUL, SMCLKOFF, SYSSNIV_SVSLIFG);
    return 0;
}
