//! The mark is written last.
//@ policy: restart
#include <avr/eeprom.h>
#include <stdio.h>

uint8_t EEMEM mark;
uint8_t EEMEM total;
uint8_t EEMEM limit = 0;

int main(void) {
    if (eeprom_read_byte(&mark) != 0x5a) {
        eeprom_write_byte(&total, 0);
        eeprom_write_byte(&mark, 0x5a);
    }
    printf("%u %u\n", eeprom_read_byte(&total), eeprom_read_byte(&limit));
    return 0;
}
