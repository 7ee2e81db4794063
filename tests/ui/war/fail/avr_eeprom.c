//! Counters in the EEPROM of an AVR, by name and by address: a failure between their updates leaves them different.
//@ policy: restart
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

static uint16_t EEMEM sent;
static uint8_t *const LEVEL = (uint8_t *)16;
static volatile uint8_t due;

ISR(TIMER1_COMPA_vect) { due = 1; }

int main(void) {
    DDRB |= _BV(PB5);
    TCCR1B = _BV(WGM12) | _BV(CS12);
    OCR1A = 31250;
    TIMSK1 |= _BV(OCIE1A);
    uint8_t level = eeprom_read_byte(LEVEL); //~ NOTE [war] read here
    eeprom_write_byte(LEVEL, level + 1);     //~ ERROR [war] `eeprom_memory[16]`
    uint16_t before = eeprom_read_word(&sent); //~ NOTE [war] read here
    eeprom_update_word(&sent, before + 1); //~ ERROR [war] `sent`; `sent` = 65281 instead of 1
    PORTB = level;
    sei();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_mode();
    wdt_reset();
    _delay_ms(10);
    return 0;
}
