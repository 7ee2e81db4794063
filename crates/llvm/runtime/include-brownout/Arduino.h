/* Arduino.h: enough of the usual core for sketches.  Pins and the converter are inputs and outputs
 * of the device; waiting takes no time; Serial prints. */
#ifndef _BROWNOUT_ARDUINO_H
#define _BROWNOUT_ARDUINO_H
#include <brownout.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH 1
#define LOW 0
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define INPUT_PULLDOWN 3
#define LED_BUILTIN 13
#define CHANGE 1
#define FALLING 2
#define RISING 3
#define DEC 10
#define HEX 16
#define OCT 8
#define BIN 2
enum { A0 = 14, A1, A2, A3, A4, A5, A6, A7 };

typedef uint8_t byte;
typedef bool boolean;
typedef unsigned int word;

#ifdef __cplusplus
extern "C" {
#endif
/* HIGH or LOW and nothing else. */
bool digitalRead(uint8_t pin) BROWNOUT_INPUT;
int analogRead(uint8_t pin) BROWNOUT_INPUT;
unsigned long millis(void) BROWNOUT_INPUT;
unsigned long micros(void) BROWNOUT_INPUT;
void pinMode(uint8_t pin, uint8_t mode) BROWNOUT_OUTPUT(absolute);
void digitalWrite(uint8_t pin, uint8_t value) BROWNOUT_OUTPUT(absolute);
void analogWrite(uint8_t pin, int value) BROWNOUT_OUTPUT(absolute);
char *itoa(int value, char *to, int base);
char *utoa(unsigned value, char *to, int base);
char *ltoa(long value, char *to, int base);
char *ultoa(unsigned long value, char *to, int base);
#ifdef __cplusplus
}
#endif

static inline void delay(unsigned long milliseconds) { (void)milliseconds; }
static inline void delayMicroseconds(unsigned int microseconds) { (void)microseconds; }
static inline void yield(void) {}
static inline void noInterrupts(void) {}
static inline void interrupts(void) {}

#define bitRead(value, bit) (((value) >> (bit)) & 1)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bitClear(value, bit) ((value) &= ~(1UL << (bit)))
#define bitWrite(value, bit, on) ((on) ? bitSet(value, bit) : bitClear(value, bit))
#define bit(n) (1UL << (n))
#define lowByte(w) ((uint8_t)((w) & 0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define constrain(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define F(text) (text)
#ifndef PROGMEM
#define PROGMEM
#endif
#define PI 3.1415926535897932384626433832795

static inline long map(long x, long from, long to, long low, long high) {
    return (x - from) * (high - low) / (to - from) + low;
}

#ifdef __cplusplus
template <class A, class B> constexpr auto min(A a, B b) { return a < b ? a : b; }
template <class A, class B> constexpr auto max(A a, B b) { return a > b ? a : b; }

struct HardwareSerial {
    void begin(unsigned long) {}
    void end() {}
    void flush() {}
    int available() { return 0; }
    int read() { return -1; }
    operator bool() const { return true; }
    size_t write(uint8_t c) { putchar(c); return 1; }
    void print(const char *text) { printf("%s", text); }
    void print(char c) { putchar(c); }
    void print(int v, int base = DEC) { print((long)v, base); }
    void print(unsigned v, int base = DEC) { print((unsigned long)v, base); }
    void print(long v, int base = DEC) { base == HEX ? printf("%lX", v) : printf("%ld", v); }
    void print(unsigned long v, int base = DEC) { base == HEX ? printf("%lX", v) : printf("%lu", v); }
    void print(double v, int digits = 2) { printf("%.*f", digits, v); }
    void println() { putchar('\n'); }
    template <class T> void println(T v) { print(v); println(); }
    template <class T> void println(T v, int how) { print(v, how); println(); }
};
static HardwareSerial Serial;
#else
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
