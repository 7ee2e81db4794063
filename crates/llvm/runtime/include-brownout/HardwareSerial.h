/* HardwareSerial.h: a serial port.  What it prints is the output of the program; how much has been received, and what,
 * are inputs. */
#ifndef _BROWNOUT_HARDWARE_SERIAL_H
#define _BROWNOUT_HARDWARE_SERIAL_H
#include <Stream.h>
#include <brownout.h>

extern "C" {
/* How many bytes have come, and the next one of them. */
int Serial_available(void) BROWNOUT_INPUT_RANGE(0, 16);
int Serial_read(void) BROWNOUT_INPUT_RANGE(0, 255);
}

#define SERIAL_8N1 0x06
#define SERIAL_8E1 0x26
#define SERIAL_8O1 0x36
#define SERIAL_8N2 0x0e

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
class HardwareSerial : public Stream {
    struct __brownout_port &port() { return *__brownout_port(0); }

public:
    void begin(unsigned long) {}
    void begin(unsigned long, uint8_t) {}
    void end() {}
    void flush() override {}
    operator bool() const { return true; }
    int available() override {
        if (!port().waiting) port().waiting = (uint8_t)Serial_available();
        return port().waiting;
    }
    int peek() override {
        if (!available()) return -1;
        if (!port().is_next_known) port().next = (uint8_t)Serial_read();
        port().is_next_known = true;
        return port().next;
    }
    int read() override {
        if (!available()) return -1;
        port().waiting--;
        if (!port().is_next_known) return Serial_read();
        port().is_next_known = false;
        return port().next;
    }
    int availableForWrite() override { return 63; }
    using Print::write;
    size_t write(uint8_t c) override { putchar(c); return 1; }
    size_t write(const uint8_t *bytes, size_t size) override { return fwrite(bytes, 1, size, stdout); }
    size_t write(int v) { return write((uint8_t)v); }
    size_t write(unsigned v) { return write((uint8_t)v); }
    size_t write(long v) { return write((uint8_t)v); }
    size_t write(unsigned long v) { return write((uint8_t)v); }
};
inline HardwareSerial Serial, Serial1, Serial2, Serial3;
#pragma clang attribute pop
using Serial_ = HardwareSerial;
#define SerialUSB Serial
#endif
