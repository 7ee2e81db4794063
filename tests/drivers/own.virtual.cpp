// A thermometer in C++ whose bus is somebody else's class.
#include <stdint.h>

class Bus {
public:
    virtual bool write(uint8_t reg, const uint8_t *data, uint8_t length) = 0;
    virtual void read(uint8_t reg, uint8_t *data, uint8_t length) = 0;
};

class Device {
protected:
    Bus *bus;
    uint8_t address;
};

class Thermometer : public Device {
    int16_t celsius;
    bool alarm;

public:
    void update();
    bool isAlarm() const;
    int16_t value() const;
};

void Thermometer::update() {
    uint8_t data[2];
    bus->read(3, data, sizeof data);
    celsius = (int16_t)(data[0] << 8 | data[1]);
#ifdef MENDED
    alarm = celsius > 80;
#else
    if (celsius > 80) { //~ repeated-input this->alarm
        alarm = true;
    }
#endif
}

bool Thermometer::isAlarm() const { return alarm; }
int16_t Thermometer::value() const { return celsius; }
