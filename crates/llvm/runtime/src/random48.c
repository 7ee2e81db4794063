/* random48.c: the random numbers of drand48: x = a * x + c modulo 2^48, as every system has them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MULTIPLIER ((uint64_t)0x5deece66d)
#define ADDEND 0xb

static unsigned short __brownout_random48[3], __brownout_random48_before[3];
static uint64_t __brownout_random48_multiplier = MULTIPLIER;
static uint16_t __brownout_random48_addend = ADDEND;

static uint64_t number(const unsigned short *parts) {
    return (uint64_t)parts[2] << 32 | (uint64_t)parts[1] << 16 | parts[0];
}

static void set(unsigned short *parts, uint64_t value) {
    for (int i = 0; i < 3; i++, value >>= 16)
        parts[i] = (unsigned short)(value & 0xffff);
}

/* The next number, of 48 bits. */
static uint64_t step(unsigned short *state) {
    uint64_t next = number(state) * __brownout_random48_multiplier + __brownout_random48_addend;
    set(state, next);
    return number(state);
}

double erand48(unsigned short state[3]) { return (double)step(state) / 281474976710656.0; }
long nrand48(unsigned short state[3]) { return (long)(step(state) >> 17); }
long jrand48(unsigned short state[3]) { return (long)(int32_t)(uint32_t)(step(state) >> 16); }
double drand48(void) { return erand48(__brownout_random48); }
long lrand48(void) { return nrand48(__brownout_random48); }
long mrand48(void) { return jrand48(__brownout_random48); }

static void reset(void) {
    __brownout_random48_multiplier = MULTIPLIER;
    __brownout_random48_addend = ADDEND;
}

void srand48(long seed) {
    set(__brownout_random48, (uint64_t)(uint32_t)seed << 16 | 0x330e);
    reset();
}

unsigned short *seed48(unsigned short state[3]) {
    memcpy(__brownout_random48_before, __brownout_random48, sizeof __brownout_random48);
    memcpy(__brownout_random48, state, sizeof __brownout_random48);
    reset();
    return __brownout_random48_before;
}

void lcong48(unsigned short state[7]) {
    memcpy(__brownout_random48, state, sizeof __brownout_random48);
    __brownout_random48_multiplier = number(state + 3);
    __brownout_random48_addend = state[6];
}
