// A humidity sensor with checksums after every word, measured once on request or periodically.
#include <stdbool.h>
#include <stdint.h>

int16_t sensor_i2c_write(uint8_t address, const uint8_t *data, uint16_t count);
int16_t sensor_i2c_read(uint8_t address, uint8_t *data, uint16_t count);
void sensor_sleep_us(uint32_t useconds);

#define ADDRESS 0x44
#define CMD_SINGLE 0x2400
#define CMD_PERIODIC 0x2130
#define CMD_FETCH 0xE000
#define CMD_STATUS 0xF32D
#define CMD_CLEAR 0x3041
#define CMD_HEATER_ON 0x306D
#define CMD_HEATER_OFF 0x3066
#define CMD_BREAK 0x3093

static bool periodic;
static bool heater;
static uint16_t crc_failures;

static uint8_t crc8(const uint8_t *data, uint8_t count) {
    uint8_t crc = 0xFF;
    for (uint8_t i = 0; i < count; i++) {
        crc ^= data[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            crc = (crc & 0x80) ? (uint8_t)(crc << 1 ^ 0x31) : (uint8_t)(crc << 1);
        }
    }
    return crc;
}

static int16_t send_command(uint16_t command) {
    uint8_t buffer[2];
    buffer[0] = (uint8_t)(command >> 8);
    buffer[1] = (uint8_t)command;
    return sensor_i2c_write(ADDRESS, buffer, 2);
}

static int16_t send_command_with_word(uint16_t command, uint16_t word) {
    uint8_t buffer[5];
    uint8_t n = 0;
    buffer[n++] = (uint8_t)(command >> 8);
    buffer[n++] = (uint8_t)command;
    buffer[n++] = (uint8_t)(word >> 8);
    buffer[n++] = (uint8_t)word;
    buffer[n] = crc8(&buffer[n - 2], 2);
    n++;
    return sensor_i2c_write(ADDRESS, buffer, n);
}

static int16_t read_words(uint16_t *words, uint8_t count) {
    uint8_t buffer[9];
    int16_t error = sensor_i2c_read(ADDRESS, buffer, (uint16_t)(count * 3));
    if (error != 0) { //~ repeated-input crc_failures
        return error;
    }
    for (uint8_t i = 0; i < count; i++) {
        const uint8_t *word = &buffer[i * 3];
        if (crc8(word, 2) != word[2]) { //~ repeated-input crc_failures
            crc_failures++; //~ war crc_failures
            return -2;
        }
        words[i] = (uint16_t)(word[0] << 8 | word[1]);
    }
    return 0;
}

int16_t damp_probe(void) {
    uint16_t status;
    int16_t error = send_command(CMD_STATUS);
    if (error != 0) {
        return error;
    }
    return read_words(&status, 1);
}

int16_t damp_start_periodic(void) {
    if (periodic) {
        return 0;
    }
    int16_t error = send_command(CMD_PERIODIC);
    if (error == 0) {
        periodic = true; //? war periodic @O0
    }
    return error;
}

int16_t damp_stop_periodic(void) {
    int16_t error = send_command(CMD_BREAK);
    sensor_sleep_us(1000);
    if (error == 0) {
        periodic = false;
    }
    return error;
}

int16_t damp_read(int32_t *milli_celsius, int32_t *milli_percent) { //? repeated-input crc_failures @O1
    uint16_t words[2];
    int16_t error;
    if (periodic) {
        error = send_command(CMD_FETCH);
    } else {
        error = send_command(CMD_SINGLE);
        sensor_sleep_us(15000);
    }
    if (error != 0) {
        return error;
    }
    error = read_words(words, 2);
    if (error != 0) { //~ repeated-input *milli_celsius
        return error;
    }
    *milli_celsius = ((21875 * (int32_t)words[0]) >> 13) - 45000;
    *milli_percent = (12500 * (int32_t)words[1]) >> 13;
    return 0;
}

int16_t damp_set_heater(bool on) {
    int16_t error = send_command(on ? CMD_HEATER_ON : CMD_HEATER_OFF);
    if (error) {
        return error;
    }
    heater = on;
    return 0;
}

int16_t damp_set_alert(uint16_t limit) {
    return send_command_with_word(0x611D, limit);
}

bool damp_heater(void) { return heater; }
uint16_t damp_crc_failures(void) { return crc_failures; }

int16_t damp_clear_status(uint16_t *before) {
    int16_t error = send_command(CMD_STATUS);
    if (error) {
        return error;
    }
    error = read_words(before, 1);
    if (error) {
        return error;
    }
    return send_command(CMD_CLEAR);
}
