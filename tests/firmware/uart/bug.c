//! A superloop with UART: bytes come by interrupt into a ring, and some are commands that change settings
//! in FRAM, one after the other: power can fail in between.
#include <msp430.h>
#include <stdint.h>

#define RING 32

static volatile uint8_t ring[RING];
static volatile uint8_t head, tail;

#pragma PERSISTENT(threshold)
uint16_t threshold = 100;
#pragma PERSISTENT(commands)
uint16_t commands = 0;
#pragma PERSISTENT(checksum)
uint16_t checksum = 100;

#pragma vector = USCI_A0_VECTOR
__interrupt void USCI_A0_ISR(void)
{
    uint8_t byte = UCA0RXBUF;
    uint8_t next = (head + 1) % RING;
    if (next != tail) {
        ring[head] = byte;
        head = next;
    }
}

static int receive(uint8_t *byte)
{
    if (tail == head) {
        return 0;
    }
    *byte = ring[tail];
    tail = (tail + 1) % RING;
    return 1;
}

static void send(uint8_t byte)
{
    while (!(UCA0IFG & UCTXIFG)) {
    }
    UCA0TXBUF = byte;
}

int main(void)
{
    uint8_t byte;

    WDTCTL = WDTPW | WDTHOLD;
    PM5CTL0 &= ~LOCKLPM5;
    UCA0CTLW0 = UCSWRST | UCSSEL__SMCLK;
    UCA0BRW = 8;
    UCA0CTLW0 &= ~UCSWRST;
    UCA0IE |= UCRXIE;
    __enable_interrupt();

    for (;;) {
        if (!receive(&byte)) {
            continue;
        }
        switch (byte) {
        case '+':
            threshold++;
            checksum = threshold;
            commands++;
            break;
        case '?':
            send(threshold);
            break;
        default:
            break;
        }
    }
}
