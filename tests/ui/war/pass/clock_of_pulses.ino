//! The repair of `clock_of_pulses`: both are written to the copy that is not in use, and one byte says which one is.
//@ policy: restart
#include <EEPROM.h>

unsigned long last, saved;
uint8_t pulses, energy, used;

void setup() {
  used = EEPROM.read(0) & 1;
  pulses = EEPROM.read(1 + 2 * used);
  energy = EEPROM.read(2 + 2 * used);
}

void loop() {
  if (digitalRead(2) && millis() - last > 50) {
    unsigned long width = millis() - last;
    last = millis();
    pulses++;
    energy += 100 / (width / 50);
  }
  if (millis() - saved > 600000) {
    used = 1 - used;
    EEPROM.update(1 + 2 * used, pulses);
    EEPROM.update(2 + 2 * used, energy);
    EEPROM.update(0, used);
    saved = millis();
  }
}
