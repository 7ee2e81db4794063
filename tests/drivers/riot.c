// A light sensor on the I2C bus of RIOT, with the device as its users pass it.
#include <stddef.h>
#include <stdint.h>

typedef unsigned int i2c_t;
void i2c_acquire(i2c_t dev);
void i2c_release(i2c_t dev);
int i2c_read_regs(i2c_t dev, uint16_t addr, uint16_t reg, void *data, size_t len, uint8_t flags);
int i2c_write_reg(i2c_t dev, uint16_t addr, uint16_t reg, uint8_t data, uint8_t flags);
void xtimer_usleep(uint32_t microseconds);

typedef struct {
    i2c_t bus;
    uint8_t addr;
} lux_params_t;

typedef struct {
    lux_params_t params;
    uint16_t lux;
    uint8_t gain;
} lux_t;

int lux_init(lux_t *dev, const lux_params_t *params) {
    dev->params = *params;
    dev->gain = 1;
    dev->lux = 0;
    i2c_acquire(dev->params.bus);
    int result = i2c_write_reg(dev->params.bus, dev->params.addr, 0x80, 3, 0);
    i2c_release(dev->params.bus);
    return result;
}

int lux_read(lux_t *dev) {
    uint8_t raw[2];
    i2c_acquire(dev->params.bus);
    xtimer_usleep(14000);
    int result = i2c_read_regs(dev->params.bus, dev->params.addr, 0x8c, raw, sizeof raw, 0);
    i2c_release(dev->params.bus);
    if (result != 0) {
        return result;
    }
    uint16_t value = (uint16_t)(raw[0] | raw[1] << 8);
    dev->lux = value;
#ifdef MENDED
    dev->gain = value < 100 ? 16 : 1;
#else
    if (value < 100) { //~ repeated-input dev->gain
        dev->gain = 16;
    }
#endif
    return 0;
}
