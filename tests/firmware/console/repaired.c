/* Settings over a serial line, MSP430FR5994: "S<digit>" sets the interval, "R" reads it. */
#include <msp430.h>
#include <stdint.h>
#include <stdbool.h>

typedef struct {
    uint16_t interval;
    uint16_t threshold;
    uint16_t crc;
} settings_t;

/* Two copies; `current` says which one counts and is written last. */
#pragma PERSISTENT(copies)
static settings_t copies[2] = {{10, 100, 110}, {0, 0, 0}};
#pragma PERSISTENT(current)
static uint16_t current = 0;
#define settings (copies[current & 1])

static void uart_init(void)
{
    P2SEL1 |= BIT0 | BIT1;
    P2SEL0 &= ~(BIT0 | BIT1);
    UCA0CTLW0 = UCSWRST;
    UCA0CTLW0 |= UCSSEL__SMCLK;
    UCA0BRW = 6;
    UCA0MCTLW = 0x2000 | UCOS16 | (13 << 4);
    UCA0CTLW0 &= ~UCSWRST;
}

static void uart_putc(char c)
{
    while (!(UCA0IFG & UCTXIFG))
        ;
    UCA0TXBUF = c;
}

static void uart_puts(const char *s)
{
    while (*s)
        uart_putc(*s++);
}

static bool uart_getc(char *c)
{
    if (!(UCA0IFG & UCRXIFG))
        return false;
    *c = UCA0RXBUF;
    return true;
}

static void settings_save(uint16_t interval)
{
    settings_t *next = &copies[(current + 1) & 1];

    next->interval = interval;
    next->threshold = settings.threshold;
    next->crc = next->interval + next->threshold;
    current = current + 1;
}

int main(void)
{
    char c;
    enum { IDLE, SET } state = IDLE;

    WDTCTL = WDTPW | WDTHOLD;
    PM5CTL0 &= ~LOCKLPM5;
    uart_init();
    if (settings.crc != settings.interval + settings.threshold)
        uart_puts("bad settings\r\n");

    for (;;) {
        if (!uart_getc(&c))
            continue;
        switch (state) {
        case IDLE:
            if (c == 'S')
                state = SET;
            else if (c == 'R')
                uart_putc('0' + settings.interval % 10);
            break;
        case SET:
            if (c >= '0' && c <= '9')
                settings_save(c - '0');
            state = IDLE;
            break;
        }
    }
}
