//! A driver sets its device up through a pointer; nobody has described the registers one by one.
//@ target: thumbv7m
//@ nv: !globals
//@ config: mmio = "state"
#include <brownout.h>
#include <stdint.h>
typedef struct { volatile uint32_t status, data, rate; } Uart;
#define UART1 ((Uart *)0x40011000)

static void set_up(Uart *uart) {
    uart->rate = 0x683; //~ ERROR [peripheral-state] `0x40011008` was written before the last checkpoint, and is lost if power fails before it is read; confirmed; `0x40011008` = 0x0 instead of 0x683
}

int main(void) {
    set_up(UART1);
    brownout_checkpoint();
    return UART1->rate != 0x683; //~ NOTE [peripheral-state] used here
}
