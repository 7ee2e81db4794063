//! The mark is written last: a part that is still erased is set up again.
//@ policy: restart
#include <EEPROM.h>

uint16_t total;

void setup() {
  uint8_t mark;
  EEPROM.get(0, mark);
  if (mark != 0x5a) {
    mark = 0x5a;
    EEPROM.put(2, total);
    EEPROM.put(0, mark);
  }
  EEPROM.get(2, total);
  Serial.println(total);
}

void loop() { delay(1000); }
