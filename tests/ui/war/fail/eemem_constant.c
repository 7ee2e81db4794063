//! A counter in the EEPROM of an AVR, beside a constant that says how many it counts at once.
//@ policy: restart
#include <avr/eeprom.h>
#include <avr/io.h>

const uint16_t EEMEM step = 5;
static uint16_t EEMEM sent;

int main(void) {
    uint16_t before = eeprom_read_word(&sent); //~ NOTE [war] read here
    eeprom_update_word(&sent, before + eeprom_read_word(&step)); //~ ERROR [war] `sent`
    PORTB = 1;
    return 0;
}
