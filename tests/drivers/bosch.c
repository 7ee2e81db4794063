// A barometer in the style of the Sensor APIs of Bosch: its users provide read, write and delay_us.
#include <stdint.h>

typedef int8_t (*bar_read_fptr_t)(uint8_t reg_addr, uint8_t *reg_data, uint32_t len, void *intf_ptr);
typedef int8_t (*bar_write_fptr_t)(uint8_t reg_addr, const uint8_t *reg_data, uint32_t len, void *intf_ptr);
typedef void (*bar_delay_us_fptr_t)(uint32_t period, void *intf_ptr);

struct bar_calib {
    uint16_t t1;
    int16_t t2;
};

struct bar_dev {
    uint8_t chip_id;
    void *intf_ptr;
    bar_read_fptr_t read;
    bar_write_fptr_t write;
    bar_delay_us_fptr_t delay_us;
    int8_t intf_rslt;
    struct bar_calib calib;
    uint8_t storm;
};

int8_t bar_get_regs(uint8_t reg, uint8_t *data, uint32_t len, struct bar_dev *dev) {
    if (dev == 0 || data == 0) {
        return -1;
    }
    dev->intf_rslt = dev->read(reg | 0x80, data, len, dev->intf_ptr);
    return dev->intf_rslt == 0 ? 0 : -2;
}

int8_t bar_set_regs(uint8_t reg, uint8_t value, struct bar_dev *dev) {
    dev->intf_rslt = dev->write(reg, &value, 1, dev->intf_ptr);
    return dev->intf_rslt == 0 ? 0 : -2;
}

int8_t bar_forecast(struct bar_dev *dev) {
    uint8_t raw[3];
    int8_t result = bar_set_regs(0x74, 1, dev);
    dev->delay_us(40000, dev->intf_ptr);
    if (result == 0) {
        result = bar_get_regs(0x77, raw, sizeof raw, dev);
    }
    if (result != 0) {
        return result;
    }
    uint32_t pressure = (uint32_t)raw[0] << 12 | (uint32_t)raw[1] << 4 | raw[2] >> 4;
#ifdef MENDED
    dev->storm = pressure < 0x20000;
#else
    if (pressure < 0x20000) { //~ repeated-input dev->storm
        dev->storm = 1;
    }
#endif
    return 0;
}
