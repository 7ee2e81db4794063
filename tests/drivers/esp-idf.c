// A tank gauge on ESP-IDF: it reads the level over I2C and opens a valve.
#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
#define ESP_OK 0
esp_err_t i2c_master_write_read_device(int port, uint8_t address, const uint8_t *write, size_t write_size,
                                       uint8_t *read, size_t read_size, uint32_t ticks);
esp_err_t gpio_set_level(int pin, uint32_t level);
int64_t esp_timer_get_time(void);

#define GAUGE 0x48
#define VALVE 4

static uint16_t levels[4];
static uint8_t next_level;
static uint8_t draining;

static esp_err_t gauge_level(uint16_t *level) {
    const uint8_t reg = 0x02;
    uint8_t raw[2];
    esp_err_t result = i2c_master_write_read_device(0, GAUGE, &reg, 1, raw, sizeof raw, 100);
    if (result == ESP_OK) {
        *level = (uint16_t)(raw[0] << 8 | raw[1]);
    }
    return result;
}

esp_err_t tank_poll(void) {
    uint16_t level;
    esp_err_t result = gauge_level(&level);
    if (result != ESP_OK) {
        return result;
    }
#ifdef MENDED
    draining = level > 900;
#else
    if (level > 900) { //~ repeated-input draining
        draining = 1;
    }
#endif
    return gpio_set_level(VALVE, draining);
}

uint8_t tank_draining(void) { return draining; }
