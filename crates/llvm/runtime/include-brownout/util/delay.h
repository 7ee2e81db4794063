/* util/delay.h: waiting takes no time. */
#ifndef _BROWNOUT_UTIL_DELAY_H
#define _BROWNOUT_UTIL_DELAY_H
static inline void _delay_ms(double milliseconds) { (void)milliseconds; }
static inline void _delay_us(double microseconds) { (void)microseconds; }
#endif
