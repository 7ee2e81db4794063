//! Each boot is counted in one byte, but the 256th in two of them: power fails between these.
//@ policy: restart
#include <EEPROM.h>

void setup() {
  uint16_t boots;
  if (EEPROM.read(0) != 1) {
    boots = 0;
    EEPROM.put(4, boots);
    EEPROM.write(0, 1);
  }
  EEPROM.get(4, boots); //~ NOTE [war] read here
  boots++;
  EEPROM.put(4, boots); //~ ERROR [war] `eeprom_memory[4]`
}

void loop() { analogWrite(3, analogRead(0)); }
