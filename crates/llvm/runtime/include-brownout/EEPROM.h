/* EEPROM.h: Arduino's EEPROM, a kilobyte that keeps its contents without power. */
#ifndef _BROWNOUT_EEPROM_H
#define _BROWNOUT_EEPROM_H
#include <brownout.h>
#include <stdint.h>

BROWNOUT_NV static uint8_t eeprom[1024];

struct EEPROMClass {
    uint8_t read(int at) { return eeprom[at]; }
    void write(int at, uint8_t value) { eeprom[at] = value; }
    void update(int at, uint8_t value) {
        if (eeprom[at] != value) eeprom[at] = value;
    }
    uint16_t length() { return sizeof eeprom; }
    uint8_t &operator[](int at) { return eeprom[at]; }
    template <class T> T &get(int at, T &value) {
        for (unsigned i = 0; i < sizeof value; i++) ((uint8_t *)&value)[i] = eeprom[at + i];
        return value;
    }
    template <class T> const T &put(int at, const T &value) {
        for (unsigned i = 0; i < sizeof value; i++) update(at + i, ((const uint8_t *)&value)[i]);
        return value;
    }
};
static EEPROMClass EEPROM;
#endif
