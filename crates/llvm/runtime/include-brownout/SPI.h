/* SPI.h: the serial bus with a clock.  What is transferred is an output, and what comes back an input. */
#ifndef _BROWNOUT_SPI_H
#define _BROWNOUT_SPI_H
#include <Arduino.h>
extern "C" {
void SPI_write(uint8_t byte) BROWNOUT_OUTPUT();
int SPI_read(void) BROWNOUT_INPUT_RANGE(0, 255);
}
#define SPI_MODE0 0x00
#define SPI_MODE1 0x04
#define SPI_MODE2 0x08
#define SPI_MODE3 0x0c
#define SPI_CLOCK_DIV2 4
#define SPI_CLOCK_DIV4 0
#define SPI_CLOCK_DIV8 5
#define SPI_CLOCK_DIV16 1
#define SPI_CLOCK_DIV32 6
#define SPI_CLOCK_DIV64 2
#define SPI_CLOCK_DIV128 3
#define SPI_HAS_TRANSACTION 1

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
class SPISettings {
public:
    SPISettings() {}
    SPISettings(uint32_t, uint8_t, uint8_t) {}
};
class SPIClass {
public:
    void begin() {}
    void begin(int) {}
    void end() {}
    void beginTransaction(SPISettings) {}
    void endTransaction() {}
    void usingInterrupt(uint8_t) {}
    void notUsingInterrupt(uint8_t) {}
    void setBitOrder(uint8_t) {}
    void setDataMode(uint8_t) {}
    void setClockDivider(uint8_t) {}
    void setFrequency(uint32_t) {}
    uint8_t transfer(uint8_t byte) {
        SPI_write(byte);
        return (uint8_t)SPI_read();
    }
    uint16_t transfer16(uint16_t value) {
        uint16_t high = transfer((uint8_t)(value >> 8));
        return (uint16_t)(high << 8 | transfer((uint8_t)value));
    }
    void transfer(void *buffer, size_t size) {
        for (uint8_t *at = (uint8_t *)buffer; size > 0; size--, at++) *at = transfer(*at);
    }
};
inline SPIClass SPI;
#pragma clang attribute pop
#endif
