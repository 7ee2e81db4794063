//! A receiver of I2C, as the vendor's examples have it: the eleventh reason of the peripheral ends the sleep.
//@ set: chip=msp430fr5969
#include <msp430.h>

__attribute__((persistent)) unsigned sum = 0, count = 0;
static volatile unsigned char received;

int main(void) {
    UCB0IE = UCRXIE;
    for (;;) {
        __bis_SR_register(LPM0_bits | GIE);
        sum += received; //~ ERROR [war] `sum`; `count`
        count += received;
    }
}

#pragma vector = USCI_B0_VECTOR
__interrupt void i2c(void) {
    switch (UCB0IV) {
    case USCI_I2C_UCRXIFG0:
        received = UCB0RXBUF;
        __bic_SR_register_on_exit(LPM0_bits);
        break;
    default:
        break;
    }
}
