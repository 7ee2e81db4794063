// A scale: a converter that is clocked by hand, a median of readings, tare and scale.
#include <Arduino.h>

class Scale {
    uint8_t clock_pin, data_pin;
    uint8_t gain;
    long offset;
    float factor;
    long history[5];
    uint8_t filled;
    bool overloaded;

    long median() const {
        long sorted[5];
        for (uint8_t i = 0; i < filled; i++) {
            uint8_t at = i;
            while (at > 0 && sorted[at - 1] > history[i]) {
                sorted[at] = sorted[at - 1];
                at--;
            }
            sorted[at] = history[i];
        }
        return sorted[filled / 2];
    }

public:
    void begin(uint8_t data, uint8_t clock, uint8_t amplification);
    bool isReady();
    bool waitReady(unsigned long timeout);
    long read();
    bool tare(uint8_t times);
    float units(uint8_t times);
    void setScale(float value) { factor = value; }
    void powerDown();
    bool check(long limit);
};

void Scale::begin(uint8_t data, uint8_t clock, uint8_t amplification) {
    clock_pin = clock;
    data_pin = data;
    pinMode(clock_pin, OUTPUT);
    pinMode(data_pin, INPUT);
    switch (amplification) {
    case 64:
        gain = 3;
        break;
    case 32:
        gain = 2;
        break;
    default:
        gain = 1;
        break;
    }
    offset = 0;
    factor = 1.0f;
    filled = 0;
    overloaded = false;
}

bool Scale::isReady() { return digitalRead(data_pin) == LOW; }

bool Scale::waitReady(unsigned long timeout) {
    unsigned long start = millis();
    while (!isReady()) { //~ repeated-input this->history @O1
        if (millis() - start > timeout) { //~ repeated-input this->history @O1
            return false;
        }
        delay(1);
    }
    return true;
}

long Scale::read() {
    unsigned long value = 0;
    noInterrupts();
    for (uint8_t i = 0; i < 24; i++) {
        digitalWrite(clock_pin, HIGH);
        value = value << 1;
        if (digitalRead(data_pin) == HIGH) {
            value |= 1;
        }
        digitalWrite(clock_pin, LOW);
    }
    for (uint8_t i = 0; i < gain; i++) {
        digitalWrite(clock_pin, HIGH);
        digitalWrite(clock_pin, LOW);
    }
    interrupts();
    if (value & 0x800000) {
        value |= 0xFF000000;
    }
    return (long)value;
}

bool Scale::tare(uint8_t times) {
    long sum = 0;
    if (times == 0) {
        times = 1;
    }
    for (uint8_t i = 0; i < times; i++) {
        if (!waitReady(500)) { //~ repeated-input this->offset @O0
            return false;
        }
        sum += read();
    }
    offset = sum / times;
    return true;
}

float Scale::units(uint8_t times) {
    filled = 0;
    if (times > 5) {
        times = 5;
    }
    for (uint8_t i = 0; i < times; i++) {
        if (!waitReady(500)) { //~ repeated-input this->history @O0
            break;
        }
        history[filled++] = read();
    }
    if (filled == 0) {
        return 0;
    }
    return (float)(median() - offset) / factor;
}

bool Scale::check(long limit) {
    if (!waitReady(100)) { //~ repeated-input this->overloaded @O0
        return false;
    }
    long value = read() - offset;
    if (value > limit) { //~ repeated-input this->overloaded
        overloaded = true;
    }
    return overloaded;
}

void Scale::powerDown() {
    digitalWrite(clock_pin, LOW);
    digitalWrite(clock_pin, HIGH);
    delayMicroseconds(60);
}
