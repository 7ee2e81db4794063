//! A serial port by its addresses, as headers of Cortex-M chips have it, through functions that are given the port: they
//! wait for bits of a register that is never written.
//@ set: chip=stm32l4
#include <stdint.h>
#include <brownout.h>

typedef struct {
    volatile uint32_t CR1, CR2, CR3, BRR, GTPR, RTOR, RQR, ISR, ICR, RDR, TDR;
} Port;

#define UART ((Port *)0x40013800)
#define CLOCK_CONTROL (*(volatile uint32_t *)0x40021000)

BROWNOUT_NV uint32_t alarms, last;

static int has_received(Port *port) { return (port->ISR & 0x20) != 0; }

static uint32_t get(Port *port) {
    while (!has_received(port)) { }
    return port->RDR;
}

int main(void) {
    CLOCK_CONTROL |= 1u << 8;
    while (!(CLOCK_CONTROL & (1u << 10))) { }
    UART->CR1 = 1;
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint();
        last = get(UART);
        if (last > 0x80000000u) //~ ERROR [repeated-input] `alarms`
            alarms = last;
    }
    return 0;
}
