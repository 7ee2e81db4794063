// A soil probe on the Wire bus of an Arduino: it decides when to water, and remembers that it did.
// The interface is that of Wire.h and Arduino.h.
class TwoWire {
public:
    void begin();
    void beginTransmission(int address);
    unsigned char endTransmission();
    unsigned char requestFrom(int address, int count);
    unsigned int write(int value);
    int available();
    int read();
};
extern TwoWire Wire;
extern "C" {
void pinMode(unsigned char pin, unsigned char mode);
void digitalWrite(unsigned char pin, unsigned char value);
void delay(unsigned long ms);
}

static const int PROBE = 0x36;
static const int PUMP = 7;
static const int DRY = 40;

struct Garden {
    int moisture;
    unsigned char thirsty;
};
Garden garden;

void garden_begin() {
    Wire.begin();
    pinMode(PUMP, 1);
}

static int probe_read() {
    Wire.beginTransmission(PROBE);
    Wire.write(0x0f);
    Wire.endTransmission();
    delay(5);
    if (Wire.requestFrom(PROBE, 2) != 2) {
        return -1;
    }
    int low = Wire.read();
    int high = Wire.read();
    return (high << 8) | low;
}

void garden_poll() {
    int moisture = probe_read();
    garden.moisture = moisture;
#ifdef MENDED
    garden.thirsty = moisture < DRY;
#else
    if (moisture < DRY) { //~ repeated-input garden.thirsty
        garden.thirsty = 1;
    }
#endif
    digitalWrite(PUMP, garden.thirsty);
}
