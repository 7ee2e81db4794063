/* math.c: mathematics.
 *
 * The transcendental functions are services of the machine.  What only takes a
 * number's bits apart is written here.  long double functions go through
 * double, except the few that are easy to do in full; where long double is
 * wider (x86, riscv32) the others give a double's precision and range.  errno
 * is not set. */
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

#define LONG1(name) \
    long double name##l(long double x) { return name((double)x); }
#define LONG2(name) \
    long double name##l(long double x, long double y) { return name((double)x, (double)y); }
LONG1(sin) LONG1(cos) LONG1(tan) LONG1(asin) LONG1(acos) LONG1(atan)
LONG1(sinh) LONG1(cosh) LONG1(tanh) LONG1(asinh) LONG1(acosh) LONG1(atanh)
LONG1(exp) LONG1(exp2) LONG1(exp10) LONG1(expm1) LONG1(log) LONG1(log2) LONG1(log10) LONG1(log1p)
LONG1(sqrt) LONG1(cbrt) LONG1(rint) LONG1(nearbyint)
LONG1(erf) LONG1(erfc) LONG1(tgamma) LONG1(lgamma) LONG1(logb)
LONG2(atan2) LONG2(pow) LONG2(hypot) LONG2(fmod) LONG2(remainder) LONG2(nextafter)
long double fmal(long double x, long double y, long double z) {
    return fma((double)x, (double)y, (double)z);
}

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

int __fpclassifyl(long double x) {
    if (x != x)
        return FP_NAN;
    long double size = x < 0 ? -x : x;
    if (size > LDBL_MAX)
        return FP_INFINITE;
    return size == 0 ? FP_ZERO : size < LDBL_MIN ? FP_SUBNORMAL : FP_NORMAL;
}

int __signbit(double x) { return (int)(bits_of(x) >> 63); }
int __signbitf(float x) { return (int)((union float_bits){x}.bits >> 31); }
int __signbitl(long double x) { return __signbit((double)x); }

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

/* Whole numbers */

long lround(double x) { return (long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llround(double x) { return (long long)round(x); }
long long llrint(double x) { return (long long)rint(x); }

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

/* The long double forms. */

long double fabsl(long double x) { return x <= 0 ? 0 - x : x; }

long double truncl(long double x) {
#if LDBL_MANT_DIG == 64 /* anything from 2^63 up is whole; below, long long holds it */
    if (!(fabsl(x) < 9223372036854775808.0L))
        return x;
    long double whole = (long double)(long long)x;
    return whole == 0 ? x * 0 : whole;
#else
    return trunc((double)x);
#endif
}

long double floorl(long double x) {
#if LDBL_MANT_DIG == 64
    long double whole = truncl(x);
    return whole > x ? whole - 1 : whole;
#else
    return floor((double)x);
#endif
}

long double ceill(long double x) {
#if LDBL_MANT_DIG == 64
    long double whole = truncl(x);
    return whole < x ? (whole == -1 ? -0.0L : whole + 1) : whole == 0 && x < 0 ? -0.0L : whole;
#else
    return ceil((double)x);
#endif
}

long double roundl(long double x) {
#if LDBL_MANT_DIG == 64
    long double whole = truncl(x);
    if (fabsl(x - whole) >= 0.5L)
        whole += x < 0 ? -1 : 1;
    return whole;
#else
    return round((double)x);
#endif
}

long double fminl(long double x, long double y) { return x != x || y < x ? y : x; }
long double fmaxl(long double x, long double y) { return x != x || y > x ? y : x; }
long double fdiml(long double x, long double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }

long double copysignl(long double x, long double y) {
    return __signbitl(x) == __signbitl(y) ? x : -x;
}

long double ldexpl(long double x, int n) {
#if LDBL_MAX_EXP > DBL_MAX_EXP
    /* Exact steps; only the last can round. */
    for (; n > 1000; n -= 1000)
        x *= 0x1p1000L;
    for (; n < -1000; n += 1000)
        x *= 0x1p-1000L;
    return x * ldexp(1.0, n);
#else
    return ldexp((double)x, n);
#endif
}

long double frexpl(long double x, int *exponent) {
#if LDBL_MAX_EXP > DBL_MAX_EXP
    int steps = 0;
    *exponent = 0;
    if (x == 0 || x - x != 0)
        return x;
    for (; fabsl(x) >= 0x1p1000L; steps += 1000)
        x *= 0x1p-1000L;
    for (; fabsl(x) < 0x1p-1000L; steps -= 1000)
        x *= 0x1p1000L;
    frexp((double)x, exponent);
    x = ldexpl(x, -*exponent);
    if (fabsl(x) < 0.5L) { /* as a double it was rounded up to a power of two */
        x *= 2;
        --*exponent;
    }
    *exponent += steps;
    return x;
#else
    return frexp((double)x, exponent);
#endif
}
long double scalbnl(long double x, int n) { return ldexpl(x, n); }
long double scalblnl(long double x, long n) {
    return ldexpl(x, n > 30000 ? 30000 : n < -30000 ? -30000 : (int)n);
}
int ilogbl(long double x) {
    int e;
    if (x == 0 || x - x != 0)
        return ilogb((double)x);
    frexpl(x, &e);
    return e - 1;
}
long lroundl(long double x) { return (long)roundl(x); }
long lrintl(long double x) { return lrint((double)x); }
long long llroundl(long double x) { return (long long)roundl(x); }
long long llrintl(long double x) { return llrint((double)x); }
long double nanl(const char *payload) { return nan(payload); }

long double modfl(long double x, long double *whole) {
    *whole = truncl(x);
    return fabsl(x) > LDBL_MAX ? copysignl(0, x) : copysignl(x - *whole, x);
}

void sincosl(long double x, long double *s, long double *c) {
    *s = sinl(x);
    *c = cosl(x);
}
