//! The same, set up in the region that relies on it.
//@ target: thumbv7m
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
#include <stdint.h>
typedef struct { volatile uint32_t status, data, rate; } Uart;
#define UART1 ((Uart *)0x40011000)

static void set_up(Uart *uart) {
    uart->rate = 0x683;
}

int main(void) {

    brownout_checkpoint();
    set_up(UART1);
    return UART1->rate != 0x683;
}
