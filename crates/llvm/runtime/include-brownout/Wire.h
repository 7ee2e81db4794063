/* Wire.h: the two-wire bus.  What is sent is an output, what devices on the bus answer is an input; they are there and
 * answer as many bytes as they are asked for. */
#ifndef _BROWNOUT_WIRE_H
#define _BROWNOUT_WIRE_H
#include <Stream.h>
#include <brownout.h>

extern "C" {
void Wire_begin(uint8_t address) BROWNOUT_OUTPUT();
void Wire_write(uint8_t byte) BROWNOUT_OUTPUT();
int Wire_read(void) BROWNOUT_INPUT_RANGE(0, 255);
}
#define BUFFER_LENGTH 32

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
class TwoWire : public Stream {
    /* Bytes that were asked for and not read yet, and the next one if it was looked at. */
    uint8_t waiting = 0;
    bool is_next_known = false;
    uint8_t next = 0;

public:
    void begin() {}
    void begin(int) {}
    void begin(int, int) {}
    void end() {}
    void setClock(uint32_t) {}
    void setWireTimeout(uint32_t = 25000, bool = false) {}
    bool getWireTimeoutFlag() { return false; }
    void clearWireTimeoutFlag() {}
    void onReceive(void (*)(int)) {}
    void onRequest(void (*)()) {}
    void beginTransmission(int address) { Wire_begin((uint8_t)address); }
    uint8_t endTransmission(bool = true) { return 0; }
    uint8_t requestFrom(int address, int size, int = 1) {
        Wire_begin((uint8_t)address);
        waiting = (uint8_t)(size < BUFFER_LENGTH ? size : BUFFER_LENGTH);
        is_next_known = false;
        return waiting;
    }
    int available() override { return waiting; }
    int peek() override {
        if (!waiting) return -1;
        if (!is_next_known) next = (uint8_t)Wire_read();
        is_next_known = true;
        return next;
    }
    int read() override {
        if (!waiting) return -1;
        waiting--;
        if (!is_next_known) return Wire_read();
        is_next_known = false;
        return next;
    }
    using Print::write;
    size_t write(uint8_t byte) override { Wire_write(byte); return 1; }
    size_t write(int v) { return write((uint8_t)v); }
    size_t write(unsigned v) { return write((uint8_t)v); }
    size_t write(long v) { return write((uint8_t)v); }
    size_t write(unsigned long v) { return write((uint8_t)v); }
};
inline TwoWire Wire;
#pragma clang attribute pop
#endif
