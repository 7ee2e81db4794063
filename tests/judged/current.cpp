// A current monitor that is given a bus: the program has two kinds of bus.
#include <stdint.h>

bool twi_write(uint8_t address, const uint8_t *data, uint8_t length);
bool twi_read(uint8_t address, uint8_t *data, uint8_t length);
bool soft_clock(bool level);

class Bus {
public:
    virtual bool write(uint8_t address, uint8_t reg, uint16_t value) = 0;
    virtual bool read(uint8_t address, uint8_t reg, uint16_t &value) = 0;
};

class HardwareBus : public Bus {
public:
    bool write(uint8_t address, uint8_t reg, uint16_t value) override {
        uint8_t frame[3] = {reg, (uint8_t)(value >> 8), (uint8_t)value};
        return twi_write(address, frame, 3);
    }
    bool read(uint8_t address, uint8_t reg, uint16_t &value) override {
        uint8_t bytes[2];
        if (!twi_write(address, &reg, 1) || !twi_read(address, bytes, 2)) {
            return false;
        }
        value = (uint16_t)(bytes[0] << 8 | bytes[1]);
        return true;
    }
};

class NullBus : public Bus {
public:
    bool write(uint8_t, uint8_t, uint16_t) override { return true; }
    bool read(uint8_t, uint8_t, uint16_t &value) override {
        value = 0;
        return true;
    }
};

class CurrentMonitor {
    Bus &bus;
    uint8_t address;
    uint16_t calibration = 0;
    uint16_t config = 0x399F;
    int16_t peak = 0;
    bool alarm = false;
    uint32_t charge = 0;

public:
    CurrentMonitor(Bus &b, uint8_t a) : bus(b), address(a) {}
    bool begin(uint16_t shunt);
    bool setGain(uint8_t gain);
    bool milliamps(int16_t &out);
    bool busVoltage(uint16_t &millivolts);
    bool sample(int16_t limit);
    bool alarmed() const;
    int16_t highest() const;
};

bool CurrentMonitor::begin(uint16_t shunt) {
    if (shunt == 0) {
        return false;
    }
    calibration = (uint16_t)(40960u / shunt);
    if (!bus.write(address, 0x05, calibration)) {
        return false;
    }
    return bus.write(address, 0x00, config);
}

bool CurrentMonitor::setGain(uint8_t gain) {
    config &= (uint16_t)~0x1800;
    config |= (uint16_t)((gain & 3) << 11);
    return bus.write(address, 0x00, config);
}

bool CurrentMonitor::milliamps(int16_t &out) {
    uint16_t raw;
    if (!bus.read(address, 0x04, raw)) { //~ repeated-input *out
        return false;
    }
    out = (int16_t)raw;
    return true;
}

bool CurrentMonitor::busVoltage(uint16_t &millivolts) {
    uint16_t raw;
    millivolts = 0;
    if (!bus.read(address, 0x02, raw) || (raw & 1)) {
        return false;
    }
    millivolts = (uint16_t)((raw >> 3) * 4);
    return true;
}

bool CurrentMonitor::sample(int16_t limit) {
    int16_t now;
    if (!milliamps(now)) { //~ repeated-input this->alarm
        return false;
    }
    if (now > peak) { //~ repeated-input this->peak
        peak = now; //~ war this->peak
    }
    if (now > limit) { //~ repeated-input this->alarm
        alarm = true;
    }
    if (now > 0) { //~ repeated-input this->charge
        charge += (uint16_t)now; //~ war this->charge
    }
    return true;
}

bool CurrentMonitor::alarmed() const { return alarm; }
int16_t CurrentMonitor::highest() const { return peak; }

static HardwareBus hardware;
static NullBus none;
Bus *const buses[] = {&hardware, &none};
