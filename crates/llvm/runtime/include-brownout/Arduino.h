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
void analogReference(uint8_t mode) BROWNOUT_OUTPUT(absolute);
void tone(uint8_t pin, unsigned frequency, unsigned long milliseconds) BROWNOUT_OUTPUT(absolute);
void noTone(uint8_t pin) BROWNOUT_OUTPUT(absolute);
unsigned long pulseIn(uint8_t pin, uint8_t state, unsigned long microseconds) BROWNOUT_INPUT;
void shiftOut(uint8_t data, uint8_t clock, uint8_t order, uint8_t value) BROWNOUT_OUTPUT(relative);
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
#define pgm_read_byte(at) (*(const uint8_t *)(at))
#define pgm_read_word(at) (*(const uint16_t *)(at))
#define pgm_read_dword(at) (*(const uint32_t *)(at))
#define pgm_read_float(at) (*(const float *)(at))
#define PSTR(text) (text)
#define PI 3.1415926535897932384626433832795
#define HALF_PI (PI / 2)
#define TWO_PI (PI * 2)
#define DEG_TO_RAD (PI / 180)
#define RAD_TO_DEG (180 / PI)
#define radians(degrees) ((degrees) * DEG_TO_RAD)
#define degrees(radians) ((radians) * RAD_TO_DEG)
#define sq(x) ((x) * (x))
#define bitToggle(value, bit) ((value) ^= (1UL << (bit)))
#define digitalPinToInterrupt(pin) (pin)
#define NOT_AN_INTERRUPT (-1)
#define LSBFIRST 0
#define MSBFIRST 1
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 3

static inline long map(long x, long from, long to, long low, long high) {
    return (x - from) * (high - low) / (to - from) + low;
}

#ifdef __cplusplus
static inline void tone(uint8_t pin, unsigned frequency) { tone(pin, frequency, 0); }
static inline unsigned long pulseIn(uint8_t pin, uint8_t state) { return pulseIn(pin, state, 1000000); }
template <class A, class B> constexpr auto min(A a, B b) { return a < b ? a : b; }
template <class A, class B> constexpr auto max(A a, B b) { return a > b ? a : b; }

/* Random numbers are those of the C library, the same in every execution. */
static inline void randomSeed(unsigned long seed) { srand((unsigned)seed); }
static inline long random(long below) { return below > 0 ? (long)(((unsigned long)rand() << 15 | (unsigned)rand()) % (unsigned long)below) : 0; }
static inline long random(long from, long below) { return from < below ? from + random(below - from) : from; }

struct HardwareSerial {
    void begin(unsigned long) {}
    void begin(unsigned long, uint8_t) {}
    void end() {}
    void flush() {}
    int available() { return 0; }
    int read() { return -1; }
    int peek() { return -1; }
    int availableForWrite() { return 63; }
    void setTimeout(unsigned long) {}
    operator bool() const { return true; }
    size_t write(uint8_t c) { putchar(c); return 1; }
    size_t write(const char *text) { print(text); return strlen(text); }
    size_t write(const uint8_t *bytes, size_t size) { for (size_t i = 0; i < size; i++) putchar(bytes[i]); return size; }
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
static HardwareSerial Serial, Serial1, Serial2, Serial3;
#else
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
