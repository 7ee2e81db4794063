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
    struct __brownout_port &port() { return *__brownout_port(1); }

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
        port().waiting = (uint8_t)(size < BUFFER_LENGTH ? size : BUFFER_LENGTH);
        port().is_next_known = false;
        return port().waiting;
    }
    int available() override { return port().waiting; }
    int peek() override {
        if (!port().waiting) return -1;
        if (!port().is_next_known) port().next = (uint8_t)Wire_read();
        port().is_next_known = true;
        return port().next;
    }
    int read() override {
        if (!port().waiting) return -1;
        port().waiting--;
        if (!port().is_next_known) return Wire_read();
        port().is_next_known = false;
        return port().next;
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
