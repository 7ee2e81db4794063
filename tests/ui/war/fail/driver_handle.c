//! A driver gets the address of its device in a handle, as vendors' libraries do.
//@ target: thumbv7m
#include <brownout.h>
#include <stdint.h>
typedef struct { volatile uint32_t status, data, rate; } Uart;
typedef struct { Uart *device; int state; } Handle;
#define UART1 ((Uart *)0x40011000)
#define UART2 ((Uart *)0x40014400)

BROWNOUT_NV uint32_t sent;
static Handle first;
static const Handle second = { UART2, 0 };

static void put(Uart *uart, uint32_t value) {
    uart->data = value;
}

int main(void) {
    first.device = UART1;
    first.device->rate = 0x683;
    brownout_checkpoint();
    put(first.device, 'a');
    put(second.device, 'b');
    put((Uart *)0x40013800, 'c');
    sent = sent + 3; //~ ERROR [war] `sent` is read, then overwritten before the next checkpoint; confirmed; `sent` = 6 instead of 3
    brownout_checkpoint();
    return UART1->data != 'a' || UART2->data != 'b';
}
