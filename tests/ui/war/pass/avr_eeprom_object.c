//! An object in the EEPROM of an AVR that follows from what is there already.
//@ policy: restart
#include <avr/eeprom.h>
#include <avr/io.h>

static uint16_t EEMEM sent;
static uint8_t EEMEM history[8];

int main(void) {
    uint8_t copy[8];
    eeprom_read_block(copy, history, sizeof copy);
    eeprom_update_byte(&history[7], copy[0]);
    eeprom_update_word(&sent, 5);
    return 0;
}
