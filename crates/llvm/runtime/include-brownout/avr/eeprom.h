/* avr/eeprom.h: a kilobyte that keeps its contents without power and is written byte by byte; it is erased (0xff) at first.
 * Objects in it are declared with EEMEM; addresses that are numbers are places in an array. */
#ifndef _BROWNOUT_AVR_EEPROM_H
#define _BROWNOUT_AVR_EEPROM_H
#include <avr/io.h>
#include <stddef.h>
#include <stdint.h>
/* Each declaration has a section of its own, because constants and variables cannot share one. */
#define EEMEM __BROWNOUT_EEMEM(__COUNTER__)
#define __BROWNOUT_EEMEM(number) __BROWNOUT_EEMEM_IN(number)
#define __BROWNOUT_EEMEM_IN(number) __attribute__((section(".eeprom.declared" #number)))
#define eeprom_is_ready() 1
#define eeprom_busy_wait() ((void)0)

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, section(".eeprom"))) uint8_t eeprom_memory[E2END + 1] = {[0 ... E2END] = 0xff};
#ifdef __cplusplus
}
#endif

/* What happens in these functions happens in the line that calls them. */
#define __BROWNOUT_IN_PLACE __attribute__((always_inline, nodebug))
/* Objects of the program do not lie where the numbers of the EEPROM do. */
static inline __BROWNOUT_IN_PLACE uint8_t *__brownout_eeprom(const void *at) {
    return (uintptr_t)at <= E2END ? &eeprom_memory[(uintptr_t)at] : (uint8_t *)at;
}
static inline __BROWNOUT_IN_PLACE uint8_t eeprom_read_byte(const uint8_t *at) { return *__brownout_eeprom(at); }
static inline __BROWNOUT_IN_PLACE void eeprom_write_byte(uint8_t *at, uint8_t value) { *__brownout_eeprom(at) = value; }
static inline __BROWNOUT_IN_PLACE void eeprom_update_byte(uint8_t *at, uint8_t value) {
    if (eeprom_read_byte(at) != value) eeprom_write_byte(at, value);
}
static inline __BROWNOUT_IN_PLACE void eeprom_read_block(void *to, const void *from, size_t size) {
    const uint8_t *source = __brownout_eeprom(from);
    for (size_t i = 0; i < size; i++) ((uint8_t *)to)[i] = source[i];
}
static inline __BROWNOUT_IN_PLACE void eeprom_write_block(const void *from, void *to, size_t size) {
    uint8_t *target = __brownout_eeprom(to);
    for (size_t i = 0; i < size; i++) target[i] = ((const uint8_t *)from)[i];
}
static inline __BROWNOUT_IN_PLACE void eeprom_update_block(const void *from, void *to, size_t size) {
    uint8_t *target = __brownout_eeprom(to);
    for (size_t i = 0; i < size; i++)
        if (target[i] != ((const uint8_t *)from)[i]) target[i] = ((const uint8_t *)from)[i];
}
#define __BROWNOUT_EEPROM(type, name)                                                              \
    static inline __BROWNOUT_IN_PLACE type eeprom_read_##name(const type *at) {                                        \
        type value;                                                                                \
        eeprom_read_block(&value, at, sizeof value);                                               \
        return value;                                                                              \
    }                                                                                              \
    static inline __BROWNOUT_IN_PLACE void eeprom_write_##name(type *at, type value) {                                 \
        eeprom_write_block(&value, at, sizeof value);                                              \
    }                                                                                              \
    static inline __BROWNOUT_IN_PLACE void eeprom_update_##name(type *at, type value) {                                \
        eeprom_update_block(&value, at, sizeof value);                                             \
    }
__BROWNOUT_EEPROM(uint16_t, word)
__BROWNOUT_EEPROM(uint32_t, dword)
__BROWNOUT_EEPROM(float, float)
#endif
