//! A number is put together from two bytes, which do not change.
//@ policy: restart
#include <EEPROM.h>

word limit;

void setup() { limit = word(EEPROM.read(0), EEPROM.read(1)); }

void loop() { digitalWrite(3, analogRead(0) > word(limit)); }
