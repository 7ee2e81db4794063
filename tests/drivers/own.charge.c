// A counter of charge: an interrupt for each portion that has left the battery, and what the rest of the firmware asks.
#include <stdint.h>

uint32_t ticks_now(void);
void gauge_pin_enable(void);
void gauge_pin_disable(void);

static volatile uint32_t portions;
static uint32_t latest;
static uint32_t interval;

void gauge_start(void) {
    gauge_pin_disable();
    portions = 0;
    interval = 0;
    latest = ticks_now();
    gauge_pin_enable();
}

void gauge_stop(void) { gauge_pin_disable(); }

void gauge_portion(void) {
#ifdef MENDED
    portions = ticks_now() / 50;
#else
    uint32_t now = ticks_now();
    interval = now - latest;
    latest = now; //~ war latest
    portions++; //~ war portions
#endif
}

uint32_t gauge_portions(void) { return portions; }
uint32_t gauge_milliamperes(void) { return interval == 0 ? 0 : 3600000u / interval; }
uint32_t gauge_latest(void) { return latest; }
