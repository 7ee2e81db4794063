//! A superloop with UART: bytes come by interrupt into a ring, and some are commands that change settings
//! in FRAM, of which there are two copies: the last write says which one counts.
#include <msp430.h>
#include <stdint.h>

#define RING 32

static volatile uint8_t ring[RING];
static volatile uint8_t head, tail;

struct settings {
    uint16_t threshold;
    uint16_t commands;
    uint16_t checksum;
};
#pragma PERSISTENT(settings)
struct settings settings[2] = {{100, 0, 100}};
#pragma PERSISTENT(current)
uint8_t current = 0;

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
        case '+': {
            const struct settings *old = &settings[current];
            struct settings *new = &settings[current ^ 1];
            new->threshold = old->threshold + 1;
            new->checksum = new->threshold;
            new->commands = old->commands + 1;
            current ^= 1;
            break;
        }
        case '?':
            send(settings[current].threshold);
            break;
        default:
            break;
        }
    }
}
