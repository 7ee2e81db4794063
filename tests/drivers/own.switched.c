// A thermometer that is switched on by the first who needs it, on a bus that is asked until it is free.
#include <stdbool.h>
#include <stdint.h>

void bus_on(void);
bool bus_busy(void);
void bus_send(uint8_t count, const uint8_t *bytes);
void bus_receive(uint8_t count, uint8_t *bytes);

enum { ON = 1, COLD = 2 };
static uint8_t status;
static int16_t lowest = 32767;

void thermometer_init(void) {
#ifdef MENDED
    bus_on();
    status = ON;
#else
    if (!(status & ON)) {
        status |= ON; //~ war status
        bus_on();
    }
#endif
}

static int16_t measure(void) {
    uint8_t command = 0, raw[2];
    while (bus_busy()) {
    }
    bus_send(1, &command);
    while (bus_busy()) {
    }
    bus_receive(2, raw);
    return (int16_t)(raw[0] << 8 | raw[1]);
}

int16_t thermometer_read(void) { return measure() / 16; }

int16_t thermometer_lowest(void) {
    int16_t now = measure();
#ifdef MENDED
    lowest = now;
#else
    if (now < lowest) { //~ repeated-input lowest
        lowest = now; //~ war lowest
    }
#endif
    return lowest;
}
