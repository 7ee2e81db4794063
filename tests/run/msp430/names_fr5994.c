//! Names of TI's examples for the MSP430FR5994: CRC32, the accelerator, six channels of DMA, names with two lines.
#include <msp430fr5994.h>
#include <stdio.h>
void __attribute__((interrupt(LEA_VECTOR))) computed(void) { LEAIFG = 0; }
void __attribute__((interrupt(RTC_C_VECTOR))) ticked(void) {
    switch (__even_in_range(RTCIV, RTCIV__RT1PSIFG)) {
    case RTCIV__NONE: case RTCIV__RTCOFIFG: case RTCIV__RTCRDYIFG: case RTCIV__RTCTEVIFG: case RTCIV__RTCAIFG:
    case RTCIV__RT0PSIFG: case RTCIV__RT1PSIFG: break;
    }
}
void __attribute__((interrupt(TIMER4_A1_VECTOR))) counted(void) {
    switch (__even_in_range(TA4IV, TA4IV_TAIFG)) {
    case TA4IV_NONE: case TA4IV_TACCR1: case TA4IV_TACCR2: case TA4IV_TAIFG: break;
    }
}
void __attribute__((interrupt(EUSCI_B3_VECTOR))) sent(void) {
    switch (__even_in_range(UCB3IV, UCIV__UCBIT9IFG)) {
    case UCIV__NONE: case UCIV__UCALIFG: case UCIV__UCNACKIFG: case UCIV__UCRXIFG0: case UCIV__UCTXIFG0:
    case UCIV__UCBIT9IFG: break;
    }
}
void __attribute__((interrupt(SYSNMI_VECTOR))) violated(void) {
    switch (__even_in_range(SYSSNIV, SYSSNIV__LEASCCMD)) {
    case SYSSNIV__NONE: case SYSSNIV__UBDIFG: case SYSSNIV__ACCTEIFG: case SYSSNIV__MPUSEGPIFG: case SYSSNIV__MPUSEG1IFG:
    case SYSSNIV__VMAIFG: case SYSSNIV__WPROT: case SYSSNIV__LEASCTO: case SYSSNIV__LEASCCMD: break;
    }
}
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    CRC32INIRESW0 = 0xFFFF; CRC32INIRESW1 = 0xFFFF; CRC32DIW0 = 1; CRC32DIB0 = 2; CRC16INIRESW0 = 0xFFFF;
    LEACNF0 = LEALPR | LEAILPM; LEACNF1 = 0;
    FRCTL0 = FRCTLPW | NWAITS_1 | AUTO_0 | WPROT_0;
    DMA5CTL = DMADT_5 | DMALEVEL__EDGE | DMASRCBYTE__WORD; DMA3SA = (void *)&CRC32DIW0;
    RTCCTL13 |= RTCHOLD; RTCCTL13_L = RTCBCD;
    printf("%lx %lx %x\n", (unsigned long)LEALPR, (unsigned long)LEASCILPM, SYSSNIV__LEASCCMD);
    printf("%x %x %x %x\n", RTCIV__RT1PSIFG, RTCIV_RT1PSIFG, P8IV__P8IFG7, DMAIV__DMA5IFG);
    printf("%x %x %x %x\n", DMA5TSEL_31, DMA4TSEL_31, SYSRSTIV__MPUSEG3IFG, UCIV__UCRXIFG0);
    printf("%x %x\n", CM__BOTH, CCIS__VCC);
    return 0;
}
