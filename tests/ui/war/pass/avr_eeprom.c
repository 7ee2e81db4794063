//! What lies in the EEPROM of an AVR is written whether or not it has been written before.
//@ policy: restart
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

static uint16_t EEMEM threshold;
static uint8_t *const LEVEL = (uint8_t *)16;
static volatile uint8_t due;

ISR(TIMER1_COMPA_vect) { due = 1; }

int main(void) {
    DDRB |= _BV(PB5);
    TCCR1B = _BV(WGM12) | _BV(CS12);
    OCR1A = 31250;
    TIMSK1 |= _BV(OCIE1A);
    eeprom_update_word(&threshold, 5);
    eeprom_write_byte(LEVEL, 3);
    PORTB = eeprom_read_byte(LEVEL);
    sei();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_mode();
    wdt_reset();
    _delay_ms(10);
    return 0;
}
