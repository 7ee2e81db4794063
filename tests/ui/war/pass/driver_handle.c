//! The same, with a checkpoint between the read and the write.
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
    brownout_checkpoint();
    uint32_t before = sent;
    brownout_checkpoint();
    sent = before + 3;
    brownout_checkpoint();
    return UART1->data != 'a' || UART2->data != 'b';
}
