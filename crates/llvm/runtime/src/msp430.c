/* The intrinsics of compilers for the MSP430.  Nothing interrupts the program, and waiting takes no
 * time; a program's own definitions come first. */
#include <stdint.h>

#define NOTHING(name) void name(void) {}
#define TAKES(name) void name(unsigned short bits) { (void)bits; }
#define GIVES(name) unsigned short name(void) { return 0; }
NOTHING(__no_operation) NOTHING(_NOP) NOTHING(_no_operation) NOTHING(__nop)
NOTHING(__enable_interrupt) NOTHING(_enable_interrupts) NOTHING(__enable_interrupts)
NOTHING(_enable_interrupt) NOTHING(_EINT) NOTHING(__eint) NOTHING(eint)
NOTHING(__disable_interrupt) NOTHING(_disable_interrupts) NOTHING(__disable_interrupts)
NOTHING(_disable_interrupt) NOTHING(_DINT) NOTHING(__dint) NOTHING(dint)
NOTHING(__low_power_mode_0) NOTHING(__low_power_mode_1) NOTHING(__low_power_mode_2)
NOTHING(__low_power_mode_3) NOTHING(__low_power_mode_4) NOTHING(__low_power_mode_off_on_exit)
NOTHING(__never_executed)
TAKES(__bis_SR_register) TAKES(__bic_SR_register) TAKES(__bis_SR_register_on_exit)
TAKES(__bic_SR_register_on_exit) TAKES(__bis_status_register) TAKES(__bic_status_register)
TAKES(__bis_status_register_on_exit) TAKES(__bic_status_register_on_exit) TAKES(_BIS_SR)
TAKES(_BIC_SR) TAKES(_BIS_SR_IRQ) TAKES(_BIC_SR_IRQ) TAKES(_bis_SR_register)
TAKES(_bic_SR_register) TAKES(_bis_SR_register_on_exit) TAKES(_bic_SR_register_on_exit)
TAKES(__set_interrupt_state) TAKES(__restore_interrupt) TAKES(__set_SP_register) TAKES(__op_code)
GIVES(__get_SR_register) GIVES(__read_status_register) GIVES(__get_SR_register_on_exit)
GIVES(__get_SP_register) GIVES(__get_interrupt_state) GIVES(__get_R4_register)
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
