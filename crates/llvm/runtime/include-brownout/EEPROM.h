/* EEPROM.h: Arduino's EEPROM, a kilobyte that keeps its contents without power. */
#ifndef _BROWNOUT_EEPROM_H
#define _BROWNOUT_EEPROM_H
#include <avr/eeprom.h>

struct EEPROMClass {
    __BROWNOUT_IN_PLACE uint8_t read(int at) { return eeprom_memory[at]; }
    __BROWNOUT_IN_PLACE void write(int at, uint8_t value) { eeprom_memory[at] = value; }
    __BROWNOUT_IN_PLACE void update(int at, uint8_t value) {
        if (eeprom_memory[at] != value) eeprom_memory[at] = value;
    }
    uint16_t length() { return sizeof eeprom_memory; }
    __BROWNOUT_IN_PLACE uint8_t &operator[](int at) { return eeprom_memory[at]; }
    template <class T> __BROWNOUT_IN_PLACE T &get(int at, T &value) {
        for (unsigned i = 0; i < sizeof value; i++) ((uint8_t *)&value)[i] = eeprom_memory[at + i];
        return value;
    }
    template <class T> __BROWNOUT_IN_PLACE const T &put(int at, const T &value) {
        for (unsigned i = 0; i < sizeof value; i++) update(at + i, ((const uint8_t *)&value)[i]);
        return value;
    }
};
static EEPROMClass EEPROM;
#endif
