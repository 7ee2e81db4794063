/* avr/wdt.h: a watchdog that is always reset in time. */
#ifndef _BROWNOUT_AVR_WDT_H
#define _BROWNOUT_AVR_WDT_H
enum {
    WDTO_15MS, WDTO_30MS, WDTO_60MS, WDTO_120MS, WDTO_250MS, WDTO_500MS, WDTO_1S, WDTO_2S, WDTO_4S, WDTO_8S
};
#define wdt_reset() ((void)0)
#define wdt_enable(time) ((void)(time))
#define wdt_disable() ((void)0)
#endif
