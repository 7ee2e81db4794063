//! Variables of an EEPROM without an initialiser are erased at first, those with one hold that; the mark is written first.
//@ policy: restart
#include <avr/eeprom.h>
#include <stdio.h>

uint8_t EEMEM mark;
uint8_t EEMEM total;
uint8_t EEMEM limit = 0;

int main(void) {
    if (eeprom_read_byte(&mark) != 0x5a) { //~ NOTE [war] read here
        eeprom_write_byte(&mark, 0x5a);    //~ ERROR [war] `mark`; `total` = 255 instead of 0
        eeprom_write_byte(&total, 0);
    }
    printf("%u %u\n", eeprom_read_byte(&total), eeprom_read_byte(&limit));
    return 0;
}
