/* math.c: mathematics of double and float.
 *
 * The transcendental functions are services of the machine.  What only takes a
 * number's bits apart is written here.  errno is not set. */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "decimal.h"
#include "machine.h"

#define ONE_ARGUMENT(name)                                  \
    double name(double x) { return __brownout_##name(x); } \
    float name##f(float x) { return __brownout_##name##f(x); }
#define TWO_ARGUMENTS(name)                                              \
    double name(double x, double y) { return __brownout_##name(x, y); } \
    float name##f(float x, float y) { return __brownout_##name##f(x, y); }
MACHINE_ALL_MATH1(ONE_ARGUMENT)
MACHINE_ALL_MATH2(TWO_ARGUMENTS)
double fma(double x, double y, double z) { return __brownout_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __brownout_fmaf(x, y, z); }

/* Bits */

union float_bits {
    float value;
    uint32_t bits;
};

static uint64_t bits_of(double x) { return (union double_bits){x}.bits; }

static double from_bits(uint64_t bits) {
    union double_bits u;
    u.bits = bits;
    return u.value;
}

int __fpclassify(double x) {
    uint64_t magnitude = bits_of(x) << 1;
    unsigned e = (unsigned)(magnitude >> 53);
    uint64_t fraction = magnitude << 11;
    if (e == DOUBLE_INFINITE)
        return fraction ? FP_NAN : FP_INFINITE;
    return e ? FP_NORMAL : fraction ? FP_SUBNORMAL : FP_ZERO;
}

int __fpclassifyf(float x) {
    int class = __fpclassify(x);
    float size = x < 0 ? -x : x;
    return class == FP_NORMAL && size < FLT_MIN ? FP_SUBNORMAL : class;
}

int __signbit(double x) { return (int)(bits_of(x) >> 63); }
int __signbitf(float x) { return (int)((union float_bits){x}.bits >> 31); }

/* Exponents */

double frexp(double x, int *exponent) {
    uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52 & 0x7ff);
    *exponent = 0;
    if (e == DOUBLE_INFINITE || x == 0)
        return x;
    if (e == 0) { /* subnormal: 2^54 makes it normal */
        bits = bits_of(x * 18014398509481984.0);
        e = (int)(bits >> 52 & 0x7ff) - 54;
    }
    *exponent = e - 1022;
    return from_bits((bits & ~((uint64_t)0x7ff << 52)) | (uint64_t)1022 << 52);
}

double ldexp(double x, int n) {
    int e;
    double half = frexp(x, &e);
    uint64_t bits = bits_of(half), sign = bits & (uint64_t)1 << 63;
    if (x == 0 || x - x != 0) /* also infinite, NaN */
        return x;
    if (n > 5000)
        n = 5000;
    if (n < -5000)
        n = -5000;
    e += n + 1022; /* the biased exponent of the result */
    if (e >= DOUBLE_INFINITE)
        return from_bits(sign | (uint64_t)DOUBLE_INFINITE << 52);
    uint64_t m = (bits & DOUBLE_FRACTION) | DOUBLE_HIDDEN;
    if (e > 0)
        return from_bits(sign | (uint64_t)e << 52 | (m & DOUBLE_FRACTION));
    int drop = 1 - e; /* subnormal: round half to even */
    if (drop > 54)
        return from_bits(sign);
    uint64_t unit = (uint64_t)1 << drop, rest = m & (unit - 1);
    m >>= drop;
    if (rest > unit / 2 || (rest == unit / 2 && (m & 1)))
        m++;
    return from_bits(sign | m);
}

double scalbn(double x, int n) { return ldexp(x, n); }

double scalbln(double x, long n) {
    return ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}

int ilogb(double x) {
    int e;
    if (x == 0 || x != x)
        return FP_ILOGB0;
    if (x - x != 0)
        return INT_MAX;
    frexp(x, &e);
    return e - 1;
}

double logb(double x) {
    if (x == 0)
        return -HUGE_VAL;
    if (x - x != 0)
        return x * x;
    return ilogb(x);
}

double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(x - x != 0 && x == x ? 0.0 : x - *whole, x);
}

/* Neighbours: the bits of a positive number count upwards as it grows. */

double nextafter(double x, double y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return copysign(from_bits(1), y);
    return from_bits(bits_of(x) + ((x < y) == (x > 0) ? 1 : -(uint64_t)1));
}

float nextafterf(float x, float y) {
    union float_bits u = {x};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0) {
        u.bits = 1;
        return copysignf(u.value, y);
    }
    u.bits += (x < y) == (x > 0) ? 1 : -(uint32_t)1;
    return u.value;
}

double nexttoward(double x, long double y) {
    if (x != x || y != y)
        return (double)(x + y);
    return x == y ? (double)y : nextafter(x, y > x ? HUGE_VAL : -HUGE_VAL);
}

float nexttowardf(float x, long double y) {
    if (x != x || y != y)
        return (float)(x + y);
    return x == y ? (float)y : nextafterf(x, y > x ? HUGE_VALF : -HUGE_VALF);
}

/* Whole numbers */

long lround(double x) { return (long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llround(double x) { return (long long)round(x); }
long long llrint(double x) { return (long long)rint(x); }

/* The remainder, and the low bits of the quotient with its sign. */
double remquo(double x, double y, int *quotient) {
    double rest = remainder(x, y);
    if (rest != rest)
        return rest;
    int negative = __signbit(x) != __signbit(y), count = 0;
    double left = fabs(x), step = fabs(y);
    /* Eight divisors and more change nothing of the low bits, and four, two and one are tried. */
    if (step <= 0x1p1019)
        left = fmod(left, 8 * step);
    for (int times = 4; times; times /= 2)
        if (step <= DBL_MAX / times && left >= times * step) {
            left -= times * step;
            count += times;
        }
    if (left > step - left || (left == step - left && count % 2)) /* rounded up */
        count++;
    *quotient = negative ? -count : count;
    return rest == 0 ? copysign(0, x) : rest;
}

float remquof(float x, float y, int *quotient) { return (float)remquo(x, y, quotient); }

double nan(const char *payload) {
    (void)payload;
    return from_bits((uint64_t)0xfff << 51);
}

void sincos(double x, double *s, double *c) {
    *s = sin(x);
    *c = cos(x);
}

/* The float forms, through double, which is exact or rounds once. */

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }
float ldexpf(float x, int n) { return (float)ldexp(x, n); }
float scalbnf(float x, int n) { return (float)ldexp(x, n); }
float scalblnf(float x, long n) { return (float)scalbln(x, n); }
int ilogbf(float x) { return ilogb(x); }
float logbf(float x) { return (float)logb(x); }
long lroundf(float x) { return (long)roundf(x); }
long lrintf(float x) { return (long)rintf(x); }
long long llroundf(float x) { return (long long)roundf(x); }
long long llrintf(float x) { return (long long)rintf(x); }
float nanf(const char *payload) { return (float)nan(payload); }

float modff(float x, float *whole) {
    double w, fraction = modf(x, &w);
    *whole = (float)w;
    return (float)fraction;
}

void sincosf(float x, float *s, float *c) {
    *s = sinf(x);
    *c = cosf(x);
}
