//! Two copies, and a byte that says which one counts, written last: no step is ever half done.
//@ policy: restart
#include <EEPROM.h>

uint16_t rounds;
uint8_t which;

void setup() {
  which = EEPROM.read(0) & 1;
  EEPROM.get(4 + 2 * which, rounds);
  if (rounds == 0xffff) rounds = 0;
}

void loop() {
  if (digitalRead(2) == LOW) {
    rounds++;
    uint8_t other = which ^ 1;
    EEPROM.put(4 + 2 * other, rounds);
    EEPROM.update(0, other);
    which = other;
  }
}
