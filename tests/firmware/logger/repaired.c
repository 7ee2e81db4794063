/*
 * Low-power light logger, MSP-EXP430FR5969.
 * Timer_A wakes the CPU every 250 ms from LPM3, the ADC takes a sample, the
 * result goes into a ring in FRAM.
 */
#include <msp430.h>
#include <stdint.h>

#define LOG_SIZE 32

#pragma PERSISTENT(log_data)
uint16_t log_data[LOG_SIZE] = {0};
#pragma PERSISTENT(log_head)
uint16_t log_head = 0;      /* samples ever taken; one word, written last */

volatile uint16_t adc_result;

static void init_gpio(void)
{
    P1DIR |= BIT0;
    P1OUT &= ~BIT0;
    P1SEL1 |= BIT2;
    P1SEL0 |= BIT2;
    PM5CTL0 &= ~LOCKLPM5;
}

static void init_clock(void)
{
    CSCTL0_H = CSKEY >> 8;
    CSCTL1 = DCOFSEL_6;
    CSCTL2 = SELA__VLOCLK | SELS__DCOCLK | SELM__DCOCLK;
    CSCTL3 = DIVA__1 | DIVS__8 | DIVM__8;
    CSCTL0_H = 0;
}

static void init_adc(void)
{
    ADC12CTL0 = ADC12SHT0_2 | ADC12ON;
    ADC12CTL1 = ADC12SHP;
    ADC12CTL2 |= ADC12RES_2;
    ADC12MCTL0 |= ADC12INCH_2;
    ADC12IER0 |= ADC12IE0;
}

static void init_timer(void)
{
    TA0CCTL0 = CCIE;
    TA0CCR0 = 2500;
    TA0CTL = TASSEL__ACLK | MC__UP | TACLR;
}

static void log_append(uint16_t value)
{
    log_data[log_head % LOG_SIZE] = value;
    log_head = log_head + 1;
}

int main(void)
{
    WDTCTL = WDTPW | WDTHOLD;
    init_gpio();
    init_clock();
    init_adc();
    init_timer();

    while (1) {
        __bis_SR_register(LPM3_bits | GIE);     /* wait for the timer */
        ADC12CTL0 |= ADC12ENC | ADC12SC;
        __bis_SR_register(LPM0_bits | GIE);     /* wait for the conversion */
        log_append(adc_result);
        P1OUT ^= BIT0;
    }
}

#if defined(__TI_COMPILER_VERSION__) || defined(__IAR_SYSTEMS_ICC__)
#pragma vector = TIMER0_A0_VECTOR
__interrupt void Timer0_A0_ISR(void)
#elif defined(__GNUC__)
void __attribute__((interrupt(TIMER0_A0_VECTOR))) Timer0_A0_ISR(void)
#else
#error Compiler not supported!
#endif
{
    __bic_SR_register_on_exit(LPM3_bits);
}

#if defined(__TI_COMPILER_VERSION__) || defined(__IAR_SYSTEMS_ICC__)
#pragma vector = ADC12_VECTOR
__interrupt void ADC12_ISR(void)
#elif defined(__GNUC__)
void __attribute__((interrupt(ADC12_VECTOR))) ADC12_ISR(void)
#else
#error Compiler not supported!
#endif
{
    switch (__even_in_range(ADC12IV, ADC12IV_ADC12RDYIFG)) {
    case ADC12IV_ADC12IFG0:
        adc_result = ADC12MEM0;
        __bic_SR_register_on_exit(LPM0_bits);
        break;
    default:
        break;
    }
}
