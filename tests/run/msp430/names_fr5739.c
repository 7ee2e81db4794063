//! Names of TI's examples for the MSP430FR5739, with vectors that other chips do not have.
#include <msp430fr5739.h>
#include <stdio.h>
void __attribute__((interrupt(COMP_D_VECTOR))) compared(void) {}
void __attribute__((interrupt(TIMER1_B0_VECTOR))) first(void) {}
void __attribute__((interrupt(TIMER1_B1_VECTOR))) second(void) {
    switch (__even_in_range(TB1IV, TB1IV_TBIFG)) {
    case TB1IV_NONE: case TB1IV_TBCCR1: case TB1IV_TBCCR2: case TB1IV_TBIFG: break;
    }
}
void __attribute__((interrupt(TIMER2_B0_VECTOR))) third(void) {}
void __attribute__((interrupt(SYSNMI_VECTOR))) violated(void) {
    switch (__even_in_range(SYSSNIV, SYSSNIV_SBDIFG)) {
    case SYSSNIV_NONE: case SYSSNIV_DBDIFG: case SYSSNIV_ACCTIMIFG: case SYSSNIV_MPUSEGIIFG: case SYSSNIV_MPUSEG1IFG:
    case SYSSNIV_MPUSEG2IFG: case SYSSNIV_MPUSEG3IFG: case SYSSNIV_ACCVIFG: case SYSSNIV_VMAIFG: case SYSSNIV_JMBINIFG:
    case SYSSNIV_JMBOUTIFG: case SYSSNIV_SBDIFG: break;
    }
}
int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    RTCCTL01 |= RTCBCD | RTCHOLD | RTCTEV_1;
    RTCAMIN = RTCAE | 5;
    printf("%x %x %x\n", RTCHOLD, RTCIV_RTCOFIFG, RTCTEV__1200);
    printf("%x %x %x\n", SYSSNIV_MPUSEG1IFG, SYSSNIV_SBDIFG, SYSRSTIV_MPUSEG1IFG);
    printf("%x %x\n", ADC10IE0, P2IV_P2IFG3);
    return 0;
}
