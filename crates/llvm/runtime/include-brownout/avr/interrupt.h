/* avr/interrupt.h: handlers, and enabling them. */
#ifndef _BROWNOUT_AVR_INTERRUPT_H
#define _BROWNOUT_AVR_INTERRUPT_H
#include <avr/io.h>
#ifdef __cplusplus
#define __brownout_c extern "C"
extern "C" {
#else
#define __brownout_c
#endif
void __brownout_enable(void);
void __brownout_disable(void);
#ifdef __cplusplus
}
#endif
#define sei() __brownout_enable()
#define cli() __brownout_disable()
/* The name of the vector is the name of the handler. */
#define ISR(vector, ...)                                                                           \
    __brownout_c __attribute__((used, annotate("brownout:interrupt"))) void vector(void);                            \
    void vector(void)
#define SIGNAL(vector) ISR(vector)
#define EMPTY_INTERRUPT(vector) ISR(vector) {}
#define ISR_BLOCK
#define ISR_NOBLOCK
#define ISR_NAKED
#define reti() return
#endif
