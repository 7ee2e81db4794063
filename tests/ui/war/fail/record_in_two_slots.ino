//! The same with a mark in the place of the sum: a record of which only the mark is new counts.
#include <EEPROM.h>

struct Record {
    uint16_t number;
    uint16_t count;
    uint8_t sum;
};

static Record last;

void setup() {
    memset(&last, 0, sizeof last);
    for (int slot = 0; slot < 2; slot++) {
        Record record;
        EEPROM.get(slot * (int)sizeof record, record);
        if (record.sum == 0x5a && (int16_t)(record.number - last.number) > 0)
            last = record;
    }
}

void loop() {
    if (digitalRead(2) == LOW) {
        last.number++;
        last.count++;

        last.sum = 0x5a;
        EEPROM.put((last.number & 1) * (int)sizeof last, last); //~ ERROR [war] `eeprom_memory[5]`
    }
}
