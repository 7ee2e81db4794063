//! What is read is not what is written.
#include <avr/eeprom.h>

EEMEM uint8_t flag = 1;
EEMEM uint8_t taken = 0;
EEMEM uint16_t level = 3;
EEMEM uint16_t last = 0;

uint8_t take_flag(void) {
    uint8_t f = eeprom_read_byte(&flag);
    eeprom_write_byte(&taken, f);
    return f;
}

uint16_t take_level(void) {
    uint16_t f = eeprom_read_word(&level);
    eeprom_write_word(&last, f);
    return f;
}
