// A sensor of carbon dioxide on I2C: commands of 16 bits, words with a checksum, self-calibration.
#include <stdbool.h>
#include <stdint.h>

int8_t hal_i2c_read(uint8_t address, uint8_t *data, uint8_t count);
int8_t hal_i2c_write(uint8_t address, const uint8_t *data, uint8_t count);
void hal_sleep_usec(uint32_t microseconds);

#define CO2_ADDRESS 0x61
#define CO2_START 0x0010
#define CO2_READY 0x0202
#define CO2_READ 0x0300
#define CO2_RECALIBRATE 0x5204
#define CO2_MAX_BAD 5

static uint16_t co2_altitude;
static uint16_t co2_last;
static uint16_t co2_peak;
static uint32_t co2_samples;
static uint8_t co2_bad;
static bool co2_started;
static uint16_t co2_baseline[8];
static uint8_t co2_baseline_next;

static uint8_t co2_crc(const uint8_t *data) {
    uint8_t crc = 0xFF;
    for (uint8_t i = 0; i < 2; i++) {
        crc ^= data[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x31 : crc << 1);
        }
    }
    return crc;
}

static int8_t co2_command(uint16_t command) {
    uint8_t frame[2];
    frame[0] = (uint8_t)(command >> 8);
    frame[1] = (uint8_t)command;
    return hal_i2c_write(CO2_ADDRESS, frame, 2);
}

static int8_t co2_command_word(uint16_t command, uint16_t word) {
    uint8_t frame[5];
    frame[0] = (uint8_t)(command >> 8);
    frame[1] = (uint8_t)command;
    frame[2] = (uint8_t)(word >> 8);
    frame[3] = (uint8_t)word;
    frame[4] = co2_crc(&frame[2]);
    return hal_i2c_write(CO2_ADDRESS, frame, 5);
}

static int8_t co2_read_word(uint16_t command, uint16_t *word) {
    uint8_t frame[3];
    int8_t error = co2_command(command);
    if (error) {
        return error;
    }
    hal_sleep_usec(3000);
    error = hal_i2c_read(CO2_ADDRESS, frame, 3);
    if (error) { //~ repeated-input co2_bad @O1
        return error;
    }
    if (co2_crc(frame) != frame[2]) { //~ repeated-input co2_bad @O1
        return -10;
    }
    *word = (uint16_t)(frame[0] << 8 | frame[1]);
    return 0;
}

int8_t co2_start(uint16_t altitude) {
    int8_t error = co2_command_word(CO2_START, altitude);
    if (error) {
        return error;
    }
    co2_altitude = altitude;
    co2_bad = 0;
    co2_started = true;
    return 0;
}

int8_t co2_measure(uint16_t *ppm) {
    uint16_t ready, value;
    if (!co2_started) {
        return -1;
    }
    if (co2_read_word(CO2_READY, &ready) != 0 || !ready) { //~ repeated-input co2_bad
        return 1;
    }
    if (co2_read_word(CO2_READ, &value) != 0) { //~ repeated-input co2_peak @O0
        co2_bad++; //~ war co2_bad
        if (co2_bad > CO2_MAX_BAD) {
            co2_started = false; //~ war co2_started
        }
        return -2;
    }
    co2_bad = 0;
    co2_samples++; //~ war co2_samples
    co2_last = value;
    if (value > co2_peak) { //~ repeated-input co2_peak
        co2_peak = value; //~ war co2_peak
    }
    *ppm = value;
    return 0;
}

/* The lowest reading of each day goes into a ring; the mean of the ring is fresh air. */
int8_t co2_end_of_day(uint16_t lowest) {
    uint32_t sum = 0;
    co2_baseline[co2_baseline_next] = lowest;
    co2_baseline_next = (uint8_t)((co2_baseline_next + 1) % 8); //~ war co2_baseline_next
    for (uint8_t i = 0; i < 8; i++) {
        sum += co2_baseline[i];
    }
    return co2_command_word(CO2_RECALIBRATE, (uint16_t)(sum / 8));
}
