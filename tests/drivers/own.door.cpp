// A door contact as an Arduino library: the object is whoever uses it has.
#include <Arduino.h>

class Door {
    uint8_t pin;
    bool opened;
    uint16_t seen;

public:
    void begin(uint8_t contact);
    void poll();
    bool wasOpened() const;
};

void Door::begin(uint8_t contact) {
    pin = contact;
    opened = false;
    pinMode(pin, INPUT_PULLUP);
}

void Door::poll() {
#ifdef MENDED
    opened = digitalRead(pin) == HIGH;
#else
    if (digitalRead(pin) == HIGH) { //~ repeated-input this->opened
        opened = true;
    }
#endif
}

bool Door::wasOpened() const { return opened; }
