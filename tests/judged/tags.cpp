// A reader of contactless tags on SPI: a list of known tags, an access log, a lock against guessing.
#include <Arduino.h>
#include <SPI.h>

class TagReader {
public:
    struct Uid {
        uint8_t size;
        uint8_t bytes[10];
    };

    explicit TagReader(uint8_t select) : select(select) {}
    bool begin();
    bool read(Uid &uid);
    bool learn(const Uid &uid);
    bool forget(const Uid &uid);
    bool admit();
    uint16_t admitted() const { return grants; }
    bool locked() const { return refusals >= 5; }

private:
    static const uint8_t SLOTS = 6;
    uint8_t select;
    uint8_t version = 0;
    Uid known[SLOTS];
    uint8_t count = 0;
    uint16_t grants = 0;
    uint8_t refusals = 0;
    Uid last;

    uint8_t readRegister(uint8_t reg);
    void writeRegister(uint8_t reg, uint8_t value);
    int find(const Uid &uid) const;
};

uint8_t TagReader::readRegister(uint8_t reg) {
    digitalWrite(select, LOW);
    SPI.transfer(0x80 | reg << 1);
    uint8_t value = SPI.transfer(0);
    digitalWrite(select, HIGH);
    return value;
}

void TagReader::writeRegister(uint8_t reg, uint8_t value) {
    digitalWrite(select, LOW);
    SPI.transfer(reg << 1);
    SPI.transfer(value);
    digitalWrite(select, HIGH);
}

bool TagReader::begin() {
    pinMode(select, OUTPUT);
    writeRegister(0x01, 0x0F);
    delay(50);
    version = readRegister(0x37);
    if (version == 0x00 || version == 0xFF) {
        return false;
    }
    writeRegister(0x14, readRegister(0x14) | 0x03);
    return true;
}

bool TagReader::read(Uid &uid) {
    writeRegister(0x01, 0x0C);
    writeRegister(0x09, 0x26);
    uint8_t tries = 20;
    while (!(readRegister(0x04) & 0x20)) { //~ repeated-input uid[1]
        if (--tries == 0) {
            return false;
        }
        delay(1);
    }
    uint8_t size = readRegister(0x0A);
    if (size > sizeof uid.bytes) { //~ repeated-input uid[1]
        return false;
    }
    uid.size = size;
    for (uint8_t i = 0; i < size; i++) { //~ repeated-input uid[1]
        uid.bytes[i] = readRegister(0x09);
    }
    return true;
}

int TagReader::find(const Uid &uid) const {
    for (uint8_t i = 0; i < count; i++) {
        if (known[i].size == uid.size && memcmp(known[i].bytes, uid.bytes, uid.size) == 0) {
            return i;
        }
    }
    return -1;
}

bool TagReader::learn(const Uid &uid) {
    if (count == SLOTS || find(uid) >= 0) {
        return false;
    }
    known[count] = uid; //? war this->known
    count++; //~ war this->count
    return true;
}

bool TagReader::forget(const Uid &uid) {
    int at = find(uid);
    if (at < 0) {
        return false;
    }
    known[at] = known[count - 1]; //~ war this->known
    count--; //~ war this->count
    return true;
}

bool TagReader::admit() {
    Uid uid;
    if (locked() || !read(uid)) { //~ repeated-input this->grants
        return false;
    }
    last = uid;
    if (find(uid) >= 0) { //~ repeated-input this->grants
        grants++; //~ war this->grants
        refusals = 0;
        return true;
    }
    refusals++; //~ war this->refusals
    return false;
}
