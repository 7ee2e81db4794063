//! A bit-field driven device register model with read-modify-write sequences.
#include <stdio.h>
#include <stdint.h>

typedef struct { uint16_t tx_ready : 1, rx_full : 1, overrun : 1, parity : 2, stop : 1, bits : 4, irq : 6; } status_t;
typedef struct { status_t st; uint8_t data; uint16_t baud : 13, div : 3; } uart_t;

static unsigned image(const status_t *s) {
    return (unsigned)(s->tx_ready | s->rx_full << 1 | s->overrun << 2 | s->parity << 3 | s->stop << 5 | s->bits << 6 | s->irq << 10);
}
static void receive(uart_t *u, uint8_t byte) {
    if (u->st.rx_full) u->st.overrun = 1;
    u->data = byte; u->st.rx_full = 1; u->st.irq |= 1u << (byte & 3);
}
static int take(uart_t *u) {
    if (!u->st.rx_full) return -1;
    u->st.rx_full = 0; return u->data;
}

int main(void) {
    uart_t u = {.st = {.tx_ready = 1, .bits = 8, .parity = 2}, .baud = 5207, .div = 5};
    printf("%04x %u %u\n", image(&u.st), u.baud, u.div);
    for (unsigned i = 0; i < 10; i++) {
        receive(&u, (uint8_t)(i * 37));
        if (i % 3) printf("got %d\n", take(&u));
        printf("%04x irq %02x ovr %d\n", image(&u.st), u.st.irq, u.st.overrun);
        if (i == 5) { u.st.overrun = 0; u.st.irq = 0; u.st.bits -= 1; u.st.parity++; }
        u.baud += 1000; u.div <<= 1;
    }
    printf("%d %u %u %u\n", take(&u), u.baud, u.div, u.st.bits);
    status_t all = {1, 1, 1, 3, 1, 15, 63}; printf("%04x %d\n", image(&all), (int)sizeof all);
    return u.st.parity;
}
