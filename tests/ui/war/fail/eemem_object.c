//! A variable with EEMEM is not the EEPROM that is accessed by number: one finding, about the variable.
#include <avr/eeprom.h>

EEMEM uint8_t flag = 1;
EEMEM uint16_t level = 3;

uint8_t take_flag(void) {
    uint8_t f = eeprom_read_byte(&flag); //~ NOTE [war] read here
    if (f != 0)
        eeprom_write_byte(&flag, 0); //~ ERROR [war] `flag`
    return f;
}

uint16_t take_level(void) {
    uint16_t f = eeprom_read_word(&level); //~ NOTE [war] read here
    if (f != 0)
        eeprom_write_word(&level, 0); //~ ERROR [war] `level`
    return f;
}
