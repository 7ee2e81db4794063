// A gas sensor in the style of the embedded drivers of Sensirion: words with a checksum, over their HAL.
#include <stdint.h>

int8_t sensirion_i2c_hal_read(uint8_t address, uint8_t *data, uint8_t count);
int8_t sensirion_i2c_hal_write(uint8_t address, const uint8_t *data, uint8_t count);
void sensirion_i2c_hal_sleep_usec(uint32_t useconds);

#define ADDRESS 0x62

static uint16_t co2_ppm;
static uint8_t stuffy;

static uint8_t crc(const uint8_t *data, uint8_t count) {
    uint8_t sum = 0xff;
    for (uint8_t i = 0; i < count; i++) {
        sum ^= data[i];
        for (uint8_t bit = 0; bit < 8; bit++) {
            sum = sum & 0x80 ? (uint8_t)(sum << 1 ^ 0x31) : (uint8_t)(sum << 1);
        }
    }
    return sum;
}

int16_t gas_measure(void) {
    const uint8_t command[2] = {0x21, 0x9d};
    uint8_t word[3];
    int16_t error = sensirion_i2c_hal_write(ADDRESS, command, sizeof command);
    if (error) {
        return error;
    }
    sensirion_i2c_hal_sleep_usec(5000);
    error = sensirion_i2c_hal_read(ADDRESS, word, sizeof word);
    if (error) {
        return error;
    }
    uint16_t ppm = (uint16_t)(word[0] << 8 | word[1]);
    int good = crc(word, 2) == word[2];
#ifdef MENDED
    co2_ppm = good ? ppm : 0xffff;
    stuffy = good && ppm > 1200;
#else
    co2_ppm = good ? ppm : 0xffff;
    if (good && ppm > 1200) { //~ repeated-input stuffy
        stuffy = 1;
    }
#endif
    return 0;
}

uint16_t gas_ppm(void) { return co2_ppm; }
uint8_t gas_stuffy(void) { return stuffy; }
