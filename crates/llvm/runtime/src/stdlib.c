/* stdlib.c: the rest of stdlib.h: arithmetic, random numbers, sorting, the end
 * of the program.  Heap, strtol and strtod have files of their own. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

/* Arithmetic */

int abs(int v) { return v < 0 ? -v : v; }
long labs(long v) { return v < 0 ? -v : v; }
long long llabs(long long v) { return v < 0 ? -v : v; }
intmax_t imaxabs(intmax_t v) { return v < 0 ? -v : v; }
div_t div(int n, int d) { return (div_t){n / d, n % d}; }
ldiv_t ldiv(long n, long d) { return (ldiv_t){n / d, n % d}; }
lldiv_t lldiv(long long n, long long d) { return (lldiv_t){n / d, n % d}; }
imaxdiv_t imaxdiv(intmax_t n, intmax_t d) { return (imaxdiv_t){n / d, n % d}; }

/* Random numbers: a linear congruence modulo 2^32, whose low bits are too
 * regular to give out; two steps make the 31 bits that hosted programs expect. */

static uint32_t __brownout_rand_state = 1;

static uint32_t step(uint32_t *state) {
    *state = *state * (uint32_t)2891336453ul + (uint32_t)1640531527ul;
    return *state >> 16;
}

static int next_random(uint32_t *state) {
#if RAND_MAX > 32767
    uint32_t high = step(state);
    return (int)((high << 16 | step(state)) & RAND_MAX);
#else
    return (int)(step(state) & RAND_MAX);
#endif
}

int rand(void) { return next_random(&__brownout_rand_state); }
void srand(unsigned seed) { __brownout_rand_state = seed; }

int rand_r(unsigned *seed) {
    uint32_t state = *seed;
    int r = next_random(&state);
    *seed = (unsigned)(state ^ (sizeof(unsigned) < 4 ? state >> 16 : 0));
    return r;
}

long random(void) {
    uint32_t high = step(&__brownout_rand_state);
    return (long)((high << 16 | step(&__brownout_rand_state)) & (uint32_t)0x7fffffff);
}
void srandom(unsigned seed) { __brownout_rand_state = seed; }

/* Searching and sorting */

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
    const char *p = base;
    while (count) {
        const char *middle = p + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            p = middle + size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}

#define ORDER int (*compare)(const void *, const void *)
#define COMPARE(a, b) compare(a, b)
#define CONTEXT compare
#include "sort.h"

void qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    if (size)
        sort(array, count, size, compare);
}

/* Numbers as text, as embedded libraries have it; no header declares these, because programs have
 * functions of their own with these names. */

char *ultoa(unsigned long value, char *to, int base) {
    char digits[sizeof value * 8];
    int count = 0;
    char *at = to;
    if (base >= 2 && base <= 36) {
        do digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % (unsigned)base];
        while (value /= (unsigned)base);
    }
    while (count) *at++ = digits[--count];
    *at = 0;
    return to;
}

char *ltoa(long value, char *to, int base) {
    if (value >= 0 || base != 10) return ultoa((unsigned long)value, to, base);
    *to = '-';
    ultoa(-(unsigned long)value, to + 1, base);
    return to;
}

char *utoa(unsigned value, char *to, int base) { return ultoa(value, to, base); }

char *itoa(int value, char *to, int base) {
    return base == 10 ? ltoa(value, to, base) : ultoa((unsigned)value, to, base);
}

/* The end of the program */

#define HANDLERS 32
static void (*__brownout_exit_handlers[HANDLERS])(void);
static int __brownout_exit_handler_count;

int atexit(void (*handler)(void)) {
    if (__brownout_exit_handler_count == HANDLERS)
        return -1;
    __brownout_exit_handlers[__brownout_exit_handler_count++] = handler;
    return 0;
}

_Noreturn void exit(int status) {
    while (__brownout_exit_handler_count > 0)
        __brownout_exit_handlers[--__brownout_exit_handler_count]();
    __brownout_exit(status);
}

_Noreturn void _Exit(int status) { __brownout_exit(status); }
_Noreturn void _exit(int status) { __brownout_exit(status); }
_Noreturn void abort(void) { __brownout_abort(); }

unsigned sleep(unsigned seconds) {
    (void)seconds;
    return 0;
}

int usleep(useconds_t microseconds) {
    (void)microseconds;
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
    (void)duration, (void)rest;
    return 0;
}

pid_t getpid(void) { return 1; }
