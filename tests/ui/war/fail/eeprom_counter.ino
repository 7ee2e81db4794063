//! Every step of the counter writes one byte, but the 256th two of them: power fails between these, and 256 rounds are lost.
//@ policy: restart
#include <EEPROM.h>

uint16_t rounds;

void setup() {
  if (EEPROM.read(0) != 1) {
    EEPROM.put(4, rounds);
    EEPROM.write(0, 1);
  }
  EEPROM.get(4, rounds); //~ NOTE [war] read here
}

void loop() {
  if (digitalRead(2) == LOW) {
    rounds++;
    EEPROM.put(4, rounds); //~ ERROR [war] `eeprom_memory[4]`
  }
}
