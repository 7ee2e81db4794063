// A humidity sensor on the I2C bus of an STM32, through its HAL: it counts how often the air was damp.
#include <stdint.h>

typedef enum { HAL_OK, HAL_ERROR, HAL_BUSY, HAL_TIMEOUT } HAL_StatusTypeDef;
typedef struct __I2C_HandleTypeDef I2C_HandleTypeDef;
HAL_StatusTypeDef HAL_I2C_Mem_Read(I2C_HandleTypeDef *bus, uint16_t device, uint16_t address,
                                   uint16_t address_size, uint8_t *data, uint16_t size, uint32_t timeout);
HAL_StatusTypeDef HAL_I2C_Mem_Write(I2C_HandleTypeDef *bus, uint16_t device, uint16_t address,
                                    uint16_t address_size, uint8_t *data, uint16_t size, uint32_t timeout);
void HAL_Delay(uint32_t milliseconds);
uint32_t HAL_GetTick(void);

#define DEVICE (0x5f << 1)
#define CONTROL 0x21
#define STATUS 0x27
#define HUMIDITY 0x28

typedef struct {
    uint16_t humidity;
    uint16_t damp;
} hygro_t;

static hygro_t hygro;

static int reg_read(I2C_HandleTypeDef *bus, uint8_t address, uint8_t *data, uint16_t size) {
    return HAL_I2C_Mem_Read(bus, DEVICE, address, 1, data, size, 100) == HAL_OK ? 0 : -1;
}

int hygro_measure(I2C_HandleTypeDef *bus) {
    uint8_t start = 1;
    uint8_t raw[2];
    if (HAL_I2C_Mem_Write(bus, DEVICE, CONTROL, 1, &start, 1, 100) != HAL_OK) {
        return -1;
    }
    HAL_Delay(10);
    if (reg_read(bus, HUMIDITY, raw, sizeof raw) != 0) {
        return -1;
    }
    uint16_t humidity = (uint16_t)(raw[0] | raw[1] << 8);
    hygro.humidity = humidity;
#ifdef MENDED
    hygro.damp = humidity > 0x3000;
#else
    if (humidity > 0x3000) { //~ repeated-input hygro.damp
        hygro.damp = 1;
    }
#endif
    return 0;
}

uint16_t hygro_damp(void) { return hygro.damp; }
uint16_t hygro_humidity(void) { return hygro.humidity; }
