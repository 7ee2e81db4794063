// A barometer on the I2C bus of an early RIOT, whose functions return how many bytes they have moved.
#include <stdbool.h>
#include <stdint.h>

typedef unsigned int i2c_t;
int i2c_acquire(i2c_t dev);
int i2c_release(i2c_t dev);
int i2c_read_reg(i2c_t dev, uint8_t address, uint8_t reg, uint8_t *data);
int i2c_read_regs(i2c_t dev, uint8_t address, uint8_t reg, uint8_t *data, int length);

typedef struct {
    i2c_t bus;
    uint8_t address;
    bool ready;
} baro_t;

int baro_init(baro_t *dev, i2c_t bus, uint8_t address) {
    uint8_t id = 0;
    dev->bus = bus;
    dev->address = address;
    dev->ready = false;
    i2c_acquire(bus);
    int count = i2c_read_reg(bus, address, 0x0f, &id);
    i2c_release(bus);
    if (count != 1 || id != 0xb1) {
        return -1;
    }
    dev->ready = true;
    return 0;
}

static int fetch(const baro_t *dev, uint8_t *raw, int length) {
    i2c_acquire(dev->bus);
    int count = i2c_read_regs(dev->bus, dev->address, 0x28, raw, length);
    i2c_release(dev->bus);
    return count;
}

int baro_read(const baro_t *dev, int32_t *pascal) {
    uint8_t raw[3];
    if (!dev->ready) {
        return -2;
    }
#ifdef MENDED
    *pascal = 0;
#endif
    if (fetch(dev, raw, sizeof raw) != sizeof raw) { //~ repeated-input *pascal
        return -1;
    }
    *pascal = ((int32_t)raw[2] << 12 | (int32_t)raw[1] << 4 | raw[0] >> 4) * 25;
    return 0;
}
