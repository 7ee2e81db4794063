//! A driver for I2C, as the vendor's examples have it: it waits for bits of registers that it writes itself. Sum
//! and number of readings are written to the other of two copies, which one store makes the one that counts.
//@ set: chip=msp430fr5969
#include <msp430.h>

__attribute__((persistent)) unsigned sum[2] = {0}, count[2] = {0}, current = 0;

static unsigned read_sensor(void) {
    while (UCB0CTLW0 & UCTXSTP) { }
    UCB0CTLW0 |= UCTR | UCTXSTT;
    while (!(UCB0IFG & UCTXIFG0)) { }
    UCB0TXBUF = 0x0f;
    while (!(UCB0IFG & UCTXIFG0)) { }
    UCB0CTLW0 &= ~UCTR;
    UCB0CTLW0 |= UCTXSTT;
    while (UCB0CTLW0 & UCTXSTT) { }
    UCB0CTLW0 |= UCTXSTP;
    while (!(UCB0IFG & UCRXIFG0)) { }
    UCB0IFG &= ~UCTXIFG0;
    return UCB0RXBUF;
}

int main(void) {
    WDTCTL = WDTPW | WDTHOLD;
    UCB0CTLW0 = UCSWRST | UCMODE_3 | UCMST | UCSYNC;
    UCB0I2CSA = 0x48;
    UCB0CTLW0 &= ~UCSWRST;
    for (;;) {
        unsigned next = !current;
        sum[next] = sum[current] + read_sensor();
        count[next] = count[current] + 1;
        current = next;
    }
}
