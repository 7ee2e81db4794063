/* The intrinsics of compilers for the MSP430.  Waiting takes no time; a program's own definitions come
 * first. */
#include <stdint.h>
#include "machine.h"

#define ENABLED 8u
#define SLEEP(name, bits) void name(void) { __brownout_set_status(bits | ENABLED); }
#define NOTHING(name) void name(void) {}
#define ON(name) void name(void) { __brownout_enable(); }
#define OFF(name) void name(void) { __brownout_disable(); }
#define SET(name) void name(unsigned short bits) { __brownout_set_status(bits); }
#define CLEAR(name) void name(unsigned short bits) { __brownout_clear_status(bits); }
#define SET_LATER(name) void name(unsigned short bits) { __brownout_status_on_exit |= bits; }
#define CLEAR_LATER(name) \
    void name(unsigned short bits) { __brownout_status_on_exit &= (unsigned short)~bits; }
#define PUT(name) void name(unsigned short bits) { \
        if (bits & ENABLED) __brownout_enable(); else __brownout_disable(); }
#define GIVE(name, what) unsigned short name(void) { return what; }
#define TAKES(name) void name(unsigned short bits) { (void)bits; }
#define GIVES(name) GIVE(name, 0)
NOTHING(__no_operation) NOTHING(_NOP) NOTHING(_no_operation) NOTHING(__nop)
ON(__enable_interrupt) ON(_enable_interrupts) ON(__enable_interrupts)
ON(_enable_interrupt) ON(_EINT) ON(__eint) ON(eint)
/* What these give is whether interrupts were enabled, for compilers that want to know. */
OFF(_disable_interrupts) OFF(__disable_interrupts)
OFF(__disable_interrupt) OFF(_disable_interrupt) OFF(_DINT) OFF(__dint) OFF(dint)
SLEEP(__low_power_mode_0, 0x10u) SLEEP(__low_power_mode_1, 0x50u) SLEEP(__low_power_mode_2, 0x90u)
SLEEP(__low_power_mode_3, 0xd0u) SLEEP(__low_power_mode_4, 0xf0u)
void __low_power_mode_off_on_exit(void) { __brownout_status_on_exit &= (unsigned short)~0xf0u; }
NOTHING(__never_executed)
NOTHING(_never_executed)
NOTHING(_nop)
SET(__bis_SR_register) CLEAR(__bic_SR_register) SET_LATER(__bis_SR_register_on_exit)
CLEAR_LATER(__bic_SR_register_on_exit) SET(__bis_status_register) CLEAR(__bic_status_register)
SET_LATER(__bis_status_register_on_exit) CLEAR_LATER(__bic_status_register_on_exit) SET(_BIS_SR)
CLEAR(_BIC_SR) SET_LATER(_BIS_SR_IRQ) CLEAR_LATER(_BIC_SR_IRQ) SET(_bis_SR_register)
CLEAR(_bic_SR_register) SET_LATER(_bis_SR_register_on_exit) CLEAR_LATER(_bic_SR_register_on_exit)
PUT(__set_interrupt_state) PUT(__restore_interrupt) TAKES(__set_SP_register) TAKES(__op_code)
GIVE(__get_SR_register, __brownout_status) GIVE(__read_status_register, __brownout_status)
GIVE(__get_SR_register_on_exit, __brownout_status_on_exit)
GIVES(__get_SP_register) GIVE(__get_interrupt_state, __brownout_status) GIVES(__get_R4_register)
GIVES(__get_R5_register) GIVES(__read_stack_pointer)

void __delay_cycles(unsigned long cycles) { (void)cycles; }
unsigned short __swap_bytes(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }

/* Digits of four bits, with a carry from each to the next. */
unsigned long __bcd_add_long(unsigned long a, unsigned long b) {
    unsigned long sum = 0;
    unsigned carry = 0;
    for (int shift = 0; shift < 32; shift += 4) {
        unsigned digit = (unsigned)(a >> shift & 15) + (unsigned)(b >> shift & 15) + carry;
        carry = digit > 9;
        sum |= (unsigned long)(carry ? digit - 10 & 15 : digit) << shift;
    }
    return sum;
}
unsigned short __bcd_add_short(unsigned short a, unsigned short b) {
    return (unsigned short)__bcd_add_long(a, b);
}

/* Memory beyond 64 KiB is not emulated: addresses have 16 bits. */
#define DATA20(T, name)                                                              \
    T __data20_read_##name(unsigned long address) { return *(T *)(uintptr_t)address; } \
    void __data20_write_##name(unsigned long address, T value) { *(T *)(uintptr_t)address = value; }
DATA20(unsigned char, char)
DATA20(unsigned short, short)
DATA20(unsigned long, long)

/* Addresses in registers and in memory below 64 KiB, as wide as this target's. */
unsigned long __data16_read_addr(unsigned short address) { return *(uintptr_t *)(uintptr_t)address; }
void __data16_write_addr(unsigned short address, unsigned long value) {
    *(uintptr_t *)(uintptr_t)address = (uintptr_t)value;
}
