// Counts how often the bell was rung, in the EEPROM: `brownout check examples/sketch/doorbell.ino`.
#include <EEPROM.h>

const int BUTTON = 2;
const int BELL = 9;

void setup() {
    Serial.begin(9600);
    pinMode(BUTTON, INPUT_PULLUP);
    pinMode(BELL, OUTPUT);
}

void loop() {
    if (digitalRead(BUTTON) == LOW) {
        uint16_t rings;
        EEPROM.get(0, rings);
        EEPROM.put(0, (uint16_t)(rings + 1)); // two bytes, one after the other
        digitalWrite(BELL, HIGH);
        delay(200);
        digitalWrite(BELL, LOW);
    }
}
