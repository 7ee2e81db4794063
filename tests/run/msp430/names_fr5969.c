//! Names of TI's examples for the MSP430FR5969: the converter, AES, the comparator, clocks, the clock of RTC_B, DMA.
#include <msp430fr5969.h>
#include <stdio.h>
static unsigned seen;
void __attribute__((interrupt(ADC12_VECTOR))) converted(void) {
    switch (__even_in_range(ADC12IV, ADC12IV_ADC12RDYIFG)) {
    case ADC12IV_NONE: break;
    case ADC12IV_ADC12OVIFG: break;
    case ADC12IV_ADC12TOVIFG: break;
    case ADC12IV_ADC12HIIFG: break;
    case ADC12IV_ADC12LOIFG: break;
    case ADC12IV_ADC12INIFG: break;
    case ADC12IV_ADC12IFG0: seen = ADC12MEM0; break;
    case ADC12IV_ADC12IFG1: break; case ADC12IV_ADC12IFG2: break; case ADC12IV_ADC12IFG3: break;
    case ADC12IV_ADC12IFG4: break; case ADC12IV_ADC12IFG15: break; case ADC12IV_ADC12IFG31: break;
    case ADC12IV_ADC12RDYIFG: break;
    }
}
void __attribute__((interrupt(SYSNMI_VECTOR))) violated(void) {
    switch (__even_in_range(SYSSNIV, SYSSNIV_CBDIFG)) {
    case SYSSNIV_NONE: case SYSSNIV_RES02: case SYSSNIV_UBDIFG: case SYSSNIV_RES06: case SYSSNIV_MPUSEGPIFG:
    case SYSSNIV_MPUSEGIIFG: case SYSSNIV_MPUSEG1IFG: break;
    case SYSSNIV_MPUSEG2IFG: MPUCTL1 &= ~MPUSEG2IFG; break;
    case SYSSNIV_MPUSEG3IFG: case SYSSNIV_VMAIFG: case SYSSNIV_JMBINIFG: case SYSSNIV_JMBOUTIFG: case SYSSNIV_CBDIFG: break;
    }
}
void __attribute__((interrupt(COMP_E_VECTOR))) compared(void) {
    switch (__even_in_range(CEIV, CEIV_CERDYIFG)) {
    case CEIV_NONE: case CEIV_CEIFG: case CEIV_CEIIFG: case CEIV_CERDYIFG: break;
    }
}
void __attribute__((interrupt(RTC_VECTOR))) ticked(void) {
    switch (__even_in_range(RTCIV, RTCIV_RTCOFIFG)) {
    case RTCIV_NONE: case RTCIV_RTCRDYIFG: case RTCIV_RTCTEVIFG: case RTCIV_RTCAIFG: case RTCIV_RT0PSIFG:
    case RTCIV_RT1PSIFG: case RTCIV_RTCOFIFG: break;
    }
}
void __attribute__((interrupt(TIMER0_B1_VECTOR))) counted(void) {
    switch (__even_in_range(TB0IV, TB0IV_TBIFG)) {
    case TB0IV_NONE: case TB0IV_TBCCR1: case TB0IV_TBCCR2: case TB0IV_TBCCR3: case TB0IV_TBCCR4: case TB0IV_TBCCR5:
    case TB0IV_TBCCR6: case TB0IV_TBIFG: break;
    }
}
void __attribute__((interrupt(DMA_VECTOR))) moved(void) {
    switch (__even_in_range(DMAIV, DMAIV_DMA2IFG)) {
    case DMAIV_NONE: case DMAIV_DMA0IFG: case DMAIV_DMA1IFG: case DMAIV_DMA2IFG: break;
    }
}
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    CSCTL0_H = CSKEY >> 8;
    CSCTL2 = SELA__LFXTCLK | SELS__DCOCLK | SELM__HFXTCLK;
    CSCTL4 = LFXTDRIVE_3 | HFXTDRIVE_3 | HFFREQ_2 | LFXTBYPASS | HFXTBYPASS;
    AESACTL0 |= AESOP_3 | AESKL__256 | AESCM__CBC | AESCMEN | AESRDYIE | AESTRIG;
    CECTL0 = CEIPEN | CEIPSEL_5 | CEIMEN | CEIMSEL_2;
    CECTL1 = CEPWRMD_1 | CEMRVS | CEF | CEFDLY_3 | CEON;
    CECTL2 = CEREFL_2 | CERS_3 | CERSEL | CEREF0_20 | CEREF1_16;
    CECTL3 = CEPD10;
    CEINT = CEIE | CEIIE;
    RTCCTL01 = RTCTEVIE | RTCRDYIE | RTCBCD | RTCHOLD;
    RTCAMIN = 0x30 | RTCAE; RTCAHOUR = 6; RTCADOW = 1; RTCADAY = 2; RT0PS = 0; RT1PS = 0;
    RTCPS1CTL = RT1IP_5 | RT1PSIE;
    ADC12CTL0 = ADC12SHT0_2 | ADC12ON; ADC12CTL1 = ADC12SHP | ADC12PDIV__4; ADC12IER2 = ADC12HIIE | ADC12LOIE | ADC12INIE;
    ADC12MCTL2 = ADC12VRSEL_14 | ADC12WINC | ADC12DIF | ADC12EOS;
    DMACTL0 = DMA0TSEL__ADC12IFG; DMA0CTL = DMADT_4 | DMASRCINCR_3 | DMADSTINCR_3 | DMASBDB;
    __data16_write_addr((unsigned short)&DMA0SA, 0x1C20);
    MPUSAM &= ~MPUSEG2WE; MPUCTL0 = MPUPW | MPUENA | MPULOCK | MPUSEGIE; MPUIPC0 = MPUIPENA;
    printf("%x %x %x %x\n", ADC12IV_ADC12IFG31, ADC12IV__ADC12IFG31, ADC12IE31, ADC12IFG17);
    printf("%x %x %x %x\n", LFXTDRIVE_3, HFXTDRIVE_3, HFFREQ_2, SELM__HFXTCLK);
    printf("%x %x %x %x %x\n", AESKL__256, AESCM__CBC, AESCMEN, AESRDYIE, AESDOUTRD);
    printf("%x %x %x %x %x\n", CEIMSEL_2, CEREF1_16, CEREFL_2, CERS_3, CEIV_CERDYIFG);
    printf("%x %x %x %x %x\n", RTCHOLD, RTCBCD, RTCAE, RTCIV_RTCAIFG, ADC12OVIE);
    printf("%x %x %x %x\n", TA0IV_TAIFG, TB0IV_TBCCR6, TAIV__TAIFG, P1IV__P1IFG7);
    printf("%x %x %x %x\n", SYSSNIV_MPUSEG2IFG, SYSRSTIV_MPUSEG3IFG, SYSUNIV__OFIFG, DMAIV__DMA2IFG);
    printf("%x %x %x\n", USCI_I2C_UCBIT9IFG, UCIV__UCTXIFG0, UCCLTO_3);
    return 0;
}
