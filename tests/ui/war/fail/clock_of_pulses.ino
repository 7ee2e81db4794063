//! What passes between two readings of the clock is never negative, so that the sketch may divide by it: the energy and the
//! number of pulses are stored one after the other.
//@ policy: restart
#include <EEPROM.h>

unsigned long last, saved;
uint8_t pulses, energy;

void setup() {
  pulses = EEPROM.read(0);
  energy = EEPROM.read(1);
}

void loop() {
  if (digitalRead(2) && millis() - last > 50) {
    unsigned long width = millis() - last;
    last = millis();
    pulses++;
    energy += 100 / (width / 50);
  }
  if (millis() - saved > 600000) {
    EEPROM.update(0, pulses); //~ ERROR [war] `eeprom_memory[0]`
    EEPROM.update(1, energy);
    saved = millis();
  }
}
