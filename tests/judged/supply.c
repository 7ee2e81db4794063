// A power supply on a management bus: telemetry in the linear format, limits, faults, output voltage.
#include <stdbool.h>
#include <stdint.h>

int smbus_read_word(uint8_t address, uint8_t command, uint16_t *word);
int smbus_read_byte(uint8_t address, uint8_t command, uint8_t *byte);
int smbus_write_word(uint8_t address, uint8_t command, uint16_t word);
int smbus_write_byte(uint8_t address, uint8_t command, uint8_t byte);

#define CMD_OPERATION 0x01
#define CMD_CLEAR_FAULTS 0x03
#define CMD_VOUT_MODE 0x20
#define CMD_VOUT_COMMAND 0x21
#define CMD_STATUS_WORD 0x79
#define CMD_READ_VIN 0x88
#define CMD_READ_VOUT 0x8B
#define CMD_READ_IOUT 0x8C
#define CMD_READ_TEMPERATURE 0x8D

#define FAULT_OVERVOLTAGE 0x20
#define FAULT_OVERCURRENT 0x10
#define FAULT_TEMPERATURE 0x04

struct supply {
    uint8_t address;
    int8_t exponent;
    bool on;
    uint16_t limit_mv;
    int32_t vin_mv, vout_mv, iout_ma, temperature;
    int32_t peak_ma;
    uint8_t faults;
    uint16_t overcurrents;
    uint8_t derating;
};

static int32_t linear11(uint16_t word) {
    int16_t mantissa = (int16_t)(word << 5) >> 5;
    int8_t exponent = (int8_t)((int16_t)word >> 11);
    int32_t value = (int32_t)mantissa * 1000;
    return exponent >= 0 ? value << exponent : value >> -exponent;
}

static int32_t linear16(uint16_t word, int8_t exponent) {
    int32_t value = (int32_t)word * 1000;
    return exponent >= 0 ? value << exponent : value >> -exponent;
}

int supply_init(struct supply *supply, uint8_t address, uint16_t limit_mv) {
    uint8_t mode;
    supply->address = address;
    supply->limit_mv = limit_mv;
    supply->on = false;
    supply->faults = 0;
    supply->overcurrents = 0;
    supply->peak_ma = 0;
    supply->derating = 0;
    int error = smbus_read_byte(address, CMD_VOUT_MODE, &mode);
    if (error) { //~ repeated-input supply->exponent
        return error;
    }
    if (mode >> 5) { //~ repeated-input supply->exponent
        return -22;
    }
    supply->exponent = (int8_t)(mode << 3) >> 3;
    return 0;
}

int supply_set_voltage(struct supply *supply, uint16_t millivolts) {
    if (millivolts > supply->limit_mv) {
        millivolts = supply->limit_mv;
    }
    uint32_t word = supply->exponent < 0 ? ((uint32_t)millivolts << -supply->exponent) / 1000
                                         : ((uint32_t)millivolts >> supply->exponent) / 1000;
    return smbus_write_word(supply->address, CMD_VOUT_COMMAND, (uint16_t)word);
}

int supply_enable(struct supply *supply, bool on) {
    int error = smbus_write_byte(supply->address, CMD_OPERATION, on ? 0x80 : 0x00);
    if (error == 0) {
        supply->on = on;
    }
    return error;
}

int supply_poll(struct supply *supply) {
    uint16_t word;
    int error = smbus_read_word(supply->address, CMD_READ_VIN, &word);
    if (error) { //~ repeated-input supply->derating
        return error;
    }
    supply->vin_mv = linear11(word);
    error = smbus_read_word(supply->address, CMD_READ_VOUT, &word);
    if (error) { //~ repeated-input supply->derating
        return error;
    }
    supply->vout_mv = linear16(word, supply->exponent);
    error = smbus_read_word(supply->address, CMD_READ_IOUT, &word);
    if (error) { //~ repeated-input supply->derating
        return error;
    }
    supply->iout_ma = linear11(word);
    if (supply->iout_ma > supply->peak_ma) { //~ repeated-input supply->peak_ma
        supply->peak_ma = supply->iout_ma; //~ war supply->peak_ma
    }
    error = smbus_read_word(supply->address, CMD_READ_TEMPERATURE, &word);
    if (error) { //~ repeated-input supply->derating
        return error;
    }
    supply->temperature = linear11(word) / 1000;
    if (supply->temperature > 85) {
        supply->derating = 2;
    } else if (supply->temperature > 70) {
        supply->derating = 1;
    } else {
        supply->derating = 0;
    }
    return 0;
}

int supply_check_faults(struct supply *supply) {
    uint16_t status;
    int error = smbus_read_word(supply->address, CMD_STATUS_WORD, &status);
    if (error) { //~ repeated-input supply->faults
        return error;
    }
    supply->faults |= status & (FAULT_OVERVOLTAGE | FAULT_OVERCURRENT | FAULT_TEMPERATURE); //~ war supply->faults
    if (status & FAULT_OVERCURRENT) { //~ repeated-input supply->overcurrents
        supply->overcurrents++; //~ war supply->overcurrents
    }
    if (supply->faults & FAULT_OVERVOLTAGE) { //~ repeated-input supply->on
        supply_enable(supply, false);
    }
    return supply->faults ? 1 : 0;
}

int supply_clear_faults(struct supply *supply) {
    int error = smbus_write_byte(supply->address, CMD_CLEAR_FAULTS, 0);
    if (error) {
        return error;
    }
    supply->faults = 0;
    return 0;
}
