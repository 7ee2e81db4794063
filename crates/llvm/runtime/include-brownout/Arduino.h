/* Arduino.h: enough of the usual core for sketches.  Pins and the converter are inputs and outputs
 * of the device; waiting takes no time; Serial prints, and what it receives is an input. */
#ifndef _BROWNOUT_ARDUINO_H
#define _BROWNOUT_ARDUINO_H
#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <brownout.h>
#include <ctype.h>
#include <esp_sleep.h>
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
enum { A0 = 14, A1, A2, A3, A4, A5, A6, A7 };

typedef uint8_t byte;
typedef bool boolean;
typedef unsigned int word;

#ifdef __cplusplus
extern "C" {
#endif
int digitalRead(uint8_t pin) BROWNOUT_INPUT_RANGE(0, 1);
int analogRead(uint8_t pin) BROWNOUT_INPUT_RANGE(0, 1023);
unsigned long millis(void) BROWNOUT_CLOCK;
unsigned long micros(void) BROWNOUT_CLOCK;
void pinMode(uint8_t pin, uint8_t mode) BROWNOUT_OUTPUT(absolute);
void digitalWrite(uint8_t pin, uint8_t value) BROWNOUT_OUTPUT(absolute);
void analogWrite(uint8_t pin, int value) BROWNOUT_OUTPUT(absolute);
void analogReference(uint8_t mode) BROWNOUT_OUTPUT(absolute);
void tone(uint8_t pin, unsigned frequency, unsigned long milliseconds) BROWNOUT_OUTPUT(absolute);
void noTone(uint8_t pin) BROWNOUT_OUTPUT(absolute);
unsigned long pulseIn(uint8_t pin, uint8_t state, unsigned long microseconds) BROWNOUT_INPUT;
uint8_t shiftIn(uint8_t data, uint8_t clock, uint8_t order) BROWNOUT_INPUT;
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
#define noInterrupts() cli()
#define interrupts() sei()
static inline char *dtostrf(double value, signed char width, unsigned char digits, char *to) {
    sprintf(to, "%*.*f", width, digits, value);
    return to;
}

#define bitRead(value, bit) (((value) >> (bit)) & 1)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bitClear(value, bit) ((value) &= ~(1UL << (bit)))
#define bitWrite(value, bit, on) ((on) ? bitSet(value, bit) : bitClear(value, bit))
#define bit(n) (1UL << (n))
#define lowByte(w) ((uint8_t)((w) & 0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define constrain(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
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
#include <HardwareSerial.h>

static inline void tone(uint8_t pin, unsigned frequency) { tone(pin, frequency, 0); }
static inline uint16_t makeWord(uint16_t value) { return value; }
static inline uint16_t makeWord(uint8_t high, uint8_t low) { return (uint16_t)(high << 8 | low); }
#define word(...) makeWord(__VA_ARGS__)
static inline unsigned long pulseIn(uint8_t pin, uint8_t state) { return pulseIn(pin, state, 1000000); }
template <class A, class B> constexpr auto min(A a, B b) { return a < b ? a : b; }
template <class A, class B> constexpr auto max(A a, B b) { return a > b ? a : b; }

/* Random numbers are those of the C library, the same in every execution. */
static inline void randomSeed(unsigned long seed) { srand((unsigned)seed); }
static inline long random(long below) { return below > 0 ? (long)(((unsigned long)rand() << 15 | (unsigned)rand()) % (unsigned long)below) : 0; }
static inline long random(long from, long below) { return from < below ? from + random(below - from) : from; }

/* Handlers that a sketch attaches to pins: any of them may come, once it is attached. */
inline struct {
    uint8_t interrupt;
    void (*handler)();
} __brownout_attached[4];
#define __BROWNOUT_PIN_INTERRUPT(number)                                                           \
    extern "C" inline __attribute__((nodebug, annotate("brownout:interrupt"))) void pinInterrupt##number() {            \
        if (__brownout_attached[number].handler) __brownout_attached[number].handler();            \
    }
__BROWNOUT_PIN_INTERRUPT(0)
__BROWNOUT_PIN_INTERRUPT(1)
__BROWNOUT_PIN_INTERRUPT(2)
__BROWNOUT_PIN_INTERRUPT(3)
inline __attribute__((nodebug)) void attachInterrupt(uint8_t interrupt, void (*handler)(), int) {
    /* They are in the program because they are named here. */
    void (*const entries[])() = {pinInterrupt0, pinInterrupt1, pinInterrupt2, pinInterrupt3};
    (void)entries;
    for (auto &attached : __brownout_attached) {
        if (attached.handler && attached.interrupt != interrupt) continue;
        attached.interrupt = interrupt;
        attached.handler = handler;
        return;
    }
    /* More than four: nothing is said of a sketch that is not executed as it is. */
    abort();
}
inline __attribute__((nodebug)) void detachInterrupt(uint8_t interrupt) {
    for (auto &attached : __brownout_attached)
        if (attached.interrupt == interrupt) attached.handler = nullptr;
}
#else
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
