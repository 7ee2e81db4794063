//! An object in the EEPROM of an AVR: a failure between its update and that of another one leaves them different.
//@ policy: restart
#include <avr/eeprom.h>
#include <avr/io.h>

static uint16_t EEMEM sent;
static uint8_t EEMEM history[8];

int main(void) {
    uint16_t before = eeprom_read_word(&sent); //~ NOTE [war] read here
    eeprom_update_word(&sent, before + 1);     //~ ERROR [war] `sent`
    uint8_t copy[8];
    eeprom_read_block(copy, history, sizeof copy);
    copy[before & 7]++;
    eeprom_update_block(copy, history, sizeof copy);
    return 0;
}
