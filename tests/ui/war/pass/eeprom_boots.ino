//! Each boot is counted in the one of two numbers that a byte does not name, which is written last.
//@ policy: restart
#include <EEPROM.h>

void setup() {
  uint8_t which = EEPROM.read(0) & 1;
  uint16_t boots;
  EEPROM.get(4 + 2 * which, boots);
  boots = boots == 0xffff ? 1 : boots + 1;
  which ^= 1;
  EEPROM.put(4 + 2 * which, boots);
  EEPROM.update(0, which);
}

void loop() { analogWrite(3, analogRead(0)); }
