//! Only the last command is kept, in one byte.
//@ policy: restart
#include <EEPROM.h>
#include <Wire.h>

void setup() {
  Serial.begin(9600);
  Wire.begin();
  String text = String(F("last ")) + (char)EEPROM.read(1);
  text.trim();
  Serial.println(text);
}

void loop() {
  if (Serial.available() > 0) {
    char command = Serial.read();
    if (command >= 'a' && command <= 'd') {
      Wire.beginTransmission(0x20);
      Wire.write(command);
      Wire.endTransmission();
      EEPROM.update(1, command);
    }
  }
}
