// A combined sensor for temperature, pressure and humidity on I2C, with factory calibration and integer compensation.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int i2c_read(uint8_t address, uint8_t reg, uint8_t *data, size_t length);
int i2c_write(uint8_t address, uint8_t reg, const uint8_t *data, size_t length);
void delay_ms(uint32_t milliseconds);

#define REG_ID 0xD0
#define REG_RESET 0xE0
#define REG_CTRL_HUM 0xF2
#define REG_STATUS 0xF3
#define REG_CTRL_MEAS 0xF4
#define REG_DATA 0xF7
#define REG_CALIB_A 0x88
#define REG_CALIB_B 0xE1

typedef struct {
    uint16_t t1;
    int16_t t2, t3;
    uint16_t p1;
    int16_t p2, p3;
    uint8_t h1, h3;
    int16_t h2;
} env_calib_t;

typedef struct {
    uint8_t address;
    bool initialized;
    uint8_t oversampling;
    env_calib_t calib;
    int32_t t_fine;
    int32_t max_temperature;
    uint16_t errors;
} env_t;

typedef struct {
    int32_t temperature;
    uint32_t pressure;
    uint32_t humidity;
} env_data_t;

static int env_load_calibration(env_t *dev) {
    uint8_t a[12], b[4];
    if (i2c_read(dev->address, REG_CALIB_A, a, sizeof a) != 0) { //~ repeated-input dev->calib.h1
        return -1;
    }
    if (i2c_read(dev->address, REG_CALIB_B, b, sizeof b) != 0) { //~ repeated-input dev->calib.h1
        return -1;
    }
    dev->calib.t1 = (uint16_t)(a[1] << 8 | a[0]);
    dev->calib.t2 = (int16_t)(a[3] << 8 | a[2]);
    dev->calib.t3 = (int16_t)(a[5] << 8 | a[4]);
    dev->calib.p1 = (uint16_t)(a[7] << 8 | a[6]);
    dev->calib.p2 = (int16_t)(a[9] << 8 | a[8]);
    dev->calib.p3 = (int16_t)(a[11] << 8 | a[10]);
    dev->calib.h1 = b[0];
    dev->calib.h2 = (int16_t)(b[2] << 8 | b[1]);
    dev->calib.h3 = b[3];
    return 0;
}

int env_init(env_t *dev, uint8_t address, uint8_t oversampling) {
    uint8_t id = 0;
    uint8_t command = 0xB6;
    dev->address = address;
    dev->initialized = false;
    if (oversampling > 5) {
        oversampling = 5;
    }
    dev->oversampling = oversampling;
    dev->errors = 0;
    dev->max_temperature = -27315;
    if (i2c_read(address, REG_ID, &id, 1) != 0 || id != 0x60) { //~ repeated-input dev->calib.h1
        return -1;
    }
    i2c_write(address, REG_RESET, &command, 1);
    delay_ms(2);
    uint8_t status = 1;
    for (int tries = 0; tries < 10 && (status & 1); tries++) { //~ repeated-input dev->calib.h1
        if (i2c_read(address, REG_STATUS, &status, 1) != 0) { //~ repeated-input dev->calib.h1
            return -2;
        }
        delay_ms(1);
    }
    if (status & 1) { //~ repeated-input dev->calib.h1
        return -3;
    }
    if (env_load_calibration(dev) != 0) {
        return -4;
    }
    uint8_t humidity = dev->oversampling;
    i2c_write(address, REG_CTRL_HUM, &humidity, 1);
    uint8_t measure = (uint8_t)(dev->oversampling << 5 | dev->oversampling << 2 | 3);
    i2c_write(address, REG_CTRL_MEAS, &measure, 1);
    dev->initialized = true;
    return 0;
}

static int32_t compensate_temperature(env_t *dev, int32_t raw) {
    int32_t a = (((raw >> 3) - ((int32_t)dev->calib.t1 << 1)) * dev->calib.t2) >> 11;
    int32_t d = (raw >> 4) - dev->calib.t1;
    int32_t b = (((d * d) >> 12) * dev->calib.t3) >> 14;
    dev->t_fine = a + b;
    return (dev->t_fine * 5 + 128) >> 8;
}

static uint32_t compensate_pressure(const env_t *dev, int32_t raw) {
    int32_t a = (dev->t_fine >> 1) - 64000;
    int32_t b = (((a >> 2) * (a >> 2)) >> 11) * dev->calib.p3;
    b = ((b >> 3) + ((dev->calib.p2 * a) >> 1)) >> 18;
    b = ((32768 + b) * dev->calib.p1) >> 15;
    if (b == 0) {
        return 0;
    }
    return ((uint32_t)(1048576 - raw) * 3125u) / (uint32_t)b;
}

static uint32_t compensate_humidity(const env_t *dev, int32_t raw) {
    int32_t v = dev->t_fine - 76800;
    v = (((raw << 14) - dev->calib.h2 * v + 16384) >> 15) * ((v * dev->calib.h3) >> 10);
    v -= (v >> 15) * dev->calib.h1;
    if (v < 0) {
        v = 0;
    }
    if (v > 419430400) {
        v = 419430400;
    }
    return (uint32_t)v >> 12;
}

int env_read(env_t *dev, env_data_t *out) {
    uint8_t raw[8];
    if (!dev->initialized) {
        return -1;
    }
    if (i2c_read(dev->address, REG_DATA, raw, sizeof raw) != 0) { //~ repeated-input dev->errors
        dev->errors++; //~ war dev->errors
        return -2;
    }
    int32_t pressure = (int32_t)raw[0] << 12 | (int32_t)raw[1] << 4 | raw[2] >> 4;
    int32_t temperature = (int32_t)raw[3] << 12 | (int32_t)raw[4] << 4 | raw[5] >> 4;
    int32_t humidity = (int32_t)raw[6] << 8 | raw[7];
    out->temperature = compensate_temperature(dev, temperature);
    out->pressure = compensate_pressure(dev, pressure);
    out->humidity = compensate_humidity(dev, humidity);
    if (out->temperature > dev->max_temperature) { //~ repeated-input dev->max_temperature
        dev->max_temperature = out->temperature; //~ war dev->max_temperature
    }
    return 0;
}
