//! An interrupt-driven sampler: the converter's handler wakes the main program, which keeps a log, a sum
//! and a count in FRAM, one after the other: power can fail in between.
#include <msp430.h>
#include <stdint.h>

#define LOG 16

#pragma PERSISTENT(samples)
uint16_t samples[LOG] = {0};
#pragma PERSISTENT(count)
uint16_t count = 0;
#pragma PERSISTENT(sum)
uint32_t sum = 0;

static volatile uint16_t latest;
static volatile uint8_t ready;

#pragma vector = ADC12_VECTOR
__interrupt void ADC12_ISR(void)
{
    switch (__even_in_range(ADC12IV, ADC12IV__ADC12RDYIFG)) {
    case ADC12IV__ADC12IFG0:
        latest = ADC12MEM0;
        ready = 1;
        __bic_SR_register_on_exit(LPM0_bits);
        break;
    default:
        break;
    }
}

int main(void)
{
    WDTCTL = WDTPW | WDTHOLD;
    PM5CTL0 &= ~LOCKLPM5;
    P1DIR |= BIT0;
    ADC12CTL0 = ADC12SHT0_2 | ADC12ON;
    ADC12CTL1 = ADC12SHP;
    ADC12IER0 |= ADC12IE0;
    ADC12CTL0 |= ADC12ENC;

    while (1) {
        ADC12CTL0 |= ADC12SC;
        __bis_SR_register(LPM0_bits | GIE);
        if (ready) {
            ready = 0;
            samples[count % LOG] = latest;
            sum += latest;
            count++;
        }
    }
}
