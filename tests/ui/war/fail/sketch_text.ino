//! Texts, a serial command and the bus: the number of commands and the last one are written one after the other.
//@ policy: restart
#include <EEPROM.h>
#include <Wire.h>

void setup() {
  Serial.begin(9600);
  Wire.begin();
  String text = String("count ") + EEPROM.read(0) + F(", last ") + (char)EEPROM.read(1); //~ NOTE [war] read here
  text.trim();
  Serial.println(text);
}

void loop() {
  if (Serial.available() > 0) {
    char command = Serial.read();
    if (command >= 'a' && command <= 'd') {
      EEPROM.write(0, EEPROM.read(0) + 1); //~ ERROR [war] `eeprom_memory[0]`
      EEPROM.write(1, command); //~ ERROR [war] `eeprom_memory[1]`
      Wire.beginTransmission(0x20);
      Wire.write(command);
      Wire.endTransmission();
    }
  }
}
