/* util/atomic.h: blocks that no interrupt divides. */
#ifndef _BROWNOUT_UTIL_ATOMIC_H
#define _BROWNOUT_UTIL_ATOMIC_H
#include <avr/interrupt.h>
#ifdef __cplusplus
extern "C" {
#endif
extern unsigned short __brownout_status;
#ifdef __cplusplus
}
#endif
static inline unsigned char __brownout_begin_atomic(void) {
    unsigned char was = (unsigned char)(__brownout_status & 8u);
    __brownout_disable();
    return was;
}
static inline void __brownout_end_atomic(unsigned char *was) {
    if (*was & 8u) __brownout_enable();
}
#define ATOMIC_RESTORESTATE __brownout_begin_atomic()
#define ATOMIC_FORCEON (__brownout_disable(), (unsigned char)8)
#define ATOMIC_BLOCK(how)                                                                          \
    for (unsigned char __was __attribute__((cleanup(__brownout_end_atomic))) = (how), __once = 1;  \
         __once; __once = 0)
#endif
