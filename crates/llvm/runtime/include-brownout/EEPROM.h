/* EEPROM.h: Arduino's EEPROM, a kilobyte that keeps its contents without power.  On processors without one, whose
 * programs say `EEPROM.begin(size)`, it is a copy in memory that `EEPROM.commit()` puts into flash; power can fail in
 * the middle of that. */
#ifndef _BROWNOUT_EEPROM_H
#define _BROWNOUT_EEPROM_H
#include <avr/eeprom.h>
#include <brownout.h>
#include <string.h>

/* What is read and written: the EEPROM, or its copy. */
inline uint8_t *__brownout_eeprom_bytes = eeprom_memory;

struct EEPROMClass {
    __BROWNOUT_IN_PLACE uint8_t read(int at) { return __brownout_eeprom_bytes[at]; }
    __BROWNOUT_IN_PLACE void write(int at, uint8_t value) { __brownout_eeprom_bytes[at] = value; }
    __BROWNOUT_IN_PLACE void update(int at, uint8_t value) {
        if (__brownout_eeprom_bytes[at] != value) __brownout_eeprom_bytes[at] = value;
    }
    __BROWNOUT_IN_PLACE uint16_t length() { return sizeof eeprom_memory; }
    __BROWNOUT_IN_PLACE uint8_t &operator[](int at) { return __brownout_eeprom_bytes[at]; }
    template <class T> __BROWNOUT_IN_PLACE T &get(int at, T &value) {
        for (unsigned i = 0; i < sizeof value; i++) ((uint8_t *)&value)[i] = __brownout_eeprom_bytes[at + i];
        return value;
    }
    template <class T> __BROWNOUT_IN_PLACE const T &put(int at, const T &value) {
        for (unsigned i = 0; i < sizeof value; i++) update(at + i, ((const uint8_t *)&value)[i]);
        return value;
    }
    __BROWNOUT_IN_PLACE void begin() {}
    __BROWNOUT_IN_PLACE bool begin(size_t) {
        static uint8_t copy[sizeof eeprom_memory];
        memcpy(copy, eeprom_memory, sizeof copy);
        __brownout_eeprom_bytes = copy;
        return true;
    }
    __BROWNOUT_IN_PLACE bool commit() {
        memmove(eeprom_memory, __brownout_eeprom_bytes, sizeof eeprom_memory);
        return true;
    }
    __BROWNOUT_IN_PLACE void end() { commit(); }
};
static EEPROMClass EEPROM;
#endif
