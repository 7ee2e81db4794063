//! The EEPROM of a new part is erased; the mark is written first: power fails after it, and the total is 65535 for ever.
//@ policy: restart
#include <EEPROM.h>

uint16_t total;

void setup() {
  uint8_t mark;
  EEPROM.get(0, mark); //~ NOTE [war] read here
  if (mark != 0x5a) {
    mark = 0x5a;
    EEPROM.put(0, mark); //~ ERROR [war] `eeprom_memory[0]`; `eeprom_memory[2]` = 255 instead of 0
    EEPROM.put(2, total); //~ ERROR [war] `eeprom_memory[2]`
  }
  EEPROM.get(2, total); //~ NOTE [war] read here
  Serial.println(total);
}

void loop() { delay(1000); }
