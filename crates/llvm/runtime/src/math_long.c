/* math_long.c: mathematics of long double.
 *
 * What is exact by its definition is exact here: roots, remainders, whole parts, neighbours, exponents.
 * The transcendental functions go through double and have its precision and its range, where long
 * double is wider (x86, riscv32). */
#include <float.h>
#include <limits.h>
#include <math.h>

#include "decimal.h"
#include "machine.h"

#define IS_WIDER (LDBL_MANT_DIG > DBL_MANT_DIG)

#define LONG1(name) \
    long double name##l(long double x) { return name((double)x); }
#define LONG2(name) \
    long double name##l(long double x, long double y) { return name((double)x, (double)y); }
LONG1(sin) LONG1(cos) LONG1(tan) LONG1(asin) LONG1(acos) LONG1(atan)
LONG1(sinh) LONG1(cosh) LONG1(tanh) LONG1(asinh) LONG1(acosh) LONG1(atanh)
LONG1(exp) LONG1(exp2) LONG1(exp10) LONG1(expm1) LONG1(log) LONG1(log2) LONG1(log10) LONG1(log1p)
LONG1(erf) LONG1(erfc) LONG1(tgamma) LONG1(lgamma)
LONG2(atan2) LONG2(pow)

void sincosl(long double x, long double *s, long double *c) {
    *s = sinl(x);
    *c = cosl(x);
}

long double nanl(const char *payload) { return nan(payload); }

/* Classes and signs */

int __fpclassifyl(long double x) {
    if (x != x)
        return FP_NAN;
    long double size = x < 0 ? -x : x;
    if (size > LDBL_MAX)
        return FP_INFINITE;
    return size == 0 ? FP_ZERO : size < LDBL_MIN ? FP_SUBNORMAL : FP_NORMAL;
}

int __signbitl(long double x) { return __signbit((double)x); }
long double fabsl(long double x) { return __signbitl(x) ? -x : x; }
long double copysignl(long double x, long double y) { return __signbitl(x) == __signbitl(y) ? x : -x; }
long double fminl(long double x, long double y) { return x != x || y < x ? y : x; }
long double fmaxl(long double x, long double y) { return x != x || y > x ? y : x; }
long double fdiml(long double x, long double y) {
    return x != x || y != y ? x + y : x > y ? x - y : 0;
}

/* Exponents */

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

long double logbl(long double x) { return x == 0 || x - x != 0 ? logb((double)x) : ilogbl(x); }

/* Whole numbers.  From this number on there are no others; added to a smaller one, it rounds that. */
#define ALL_WHOLE (1 / LDBL_EPSILON)

long double rintl(long double x) {
    long double size = fabsl(x);
    if (!(size < ALL_WHOLE)) /* also infinite, NaN */
        return x;
    volatile long double sum = size + ALL_WHOLE;
    return copysignl(sum - ALL_WHOLE, x);
}

long double nearbyintl(long double x) { return rintl(x); }

long double truncl(long double x) {
    long double size = fabsl(x), whole = rintl(size);
    return copysignl(whole > size ? whole - 1 : whole, x);
}

long double floorl(long double x) {
    long double whole = rintl(x);
    return whole > x ? whole - 1 : whole;
}

long double ceill(long double x) {
    long double whole = rintl(x);
    return whole < x ? copysignl(whole + 1, x) : whole;
}

long double roundl(long double x) {
    long double size = fabsl(x), whole = truncl(size);
    return copysignl(size - whole >= 0.5L ? whole + 1 : whole, x);
}

long lroundl(long double x) { return (long)roundl(x); }
long lrintl(long double x) { return (long)rintl(x); }
long long llroundl(long double x) { return (long long)roundl(x); }
long long llrintl(long double x) { return (long long)rintl(x); }

long double modfl(long double x, long double *whole) {
    *whole = truncl(x);
    return fabsl(x) > LDBL_MAX ? copysignl(0, x) : copysignl(x - *whole, x);
}

/* Neighbours */

long double nextafterl(long double x, long double y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (!IS_WIDER)
        return nextafter((double)x, (double)y);
    if (x == 0)
        return copysignl(ldexpl(1, LDBL_MIN_EXP - LDBL_MANT_DIG), y);
    long double size = fabsl(x);
    int away = (x < y) == (x > 0);
    if (size > LDBL_MAX)
        return copysignl(LDBL_MAX, x);
    if (size == LDBL_MAX && away)
        return copysignl(HUGE_VALL, x);
    int e;
    long double half = frexpl(size, &e);
    if (!away && half == 0.5L) /* below a power of two they are closer */
        e--;
    if (e < LDBL_MIN_EXP)
        e = LDBL_MIN_EXP;
    long double step = ldexpl(1, e - LDBL_MANT_DIG);
    return copysignl(away ? size + step : size - step, x);
}

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

/* Products and roots */

/* What rounding took from a product, whose factors must not be huge or tiny. */
static long double product_error(long double x, long double y, long double product) {
    const long double split = (long double)((uint64_t)1 << ((LDBL_MANT_DIG + 1) / 2)) + 1;
    volatile long double a = x * split, b = y * split;
    volatile long double x_low = a - x, y_low = b - y;
    long double x_high = a - x_low, y_high = b - y_low;
    x_low = x - x_high;
    y_low = y - y_high;
    return x_low * y_low - (product - x_high * y_high - x_low * y_high - x_high * y_low);
}

long double sqrtl(long double x) {
    if (!IS_WIDER || !(x > 0) || x > LDBL_MAX)
        return sqrt((double)x);
    int e;
    x = frexpl(x, &e) * 4; /* from 2 to 4, or from 1 to 2 if the exponent is odd */
    e -= 2;
    if (e % 2) {
        x /= 2;
        e++;
    }
    long double root = sqrt((double)x);
    for (int i = 0; i < 2; i++)
        root = (root + x / root) / 2;
    /* Now it is a neighbour of the right one at most. */
    long double unit = LDBL_EPSILON, square = root * root;
    long double rest = x - square - product_error(root, root, square);
    if (rest > root * unit)
        root += unit;
    else if (rest < -root * unit)
        root -= unit;
    return ldexpl(root, e / 2);
}

long double cbrtl(long double x) {
    int e;
    if (!IS_WIDER || x == 0 || x - x != 0)
        return cbrt((double)x);
    x = frexpl(x, &e);
    for (; e % 3; e++)
        x /= 2;
    long double root = cbrt((double)x);
    for (int i = 0; i < 2; i++)
        root -= (root * root * root - x) / (3 * root * root);
    return ldexpl(root, e / 3);
}

long double hypotl(long double x, long double y) {
    x = fabsl(x), y = fabsl(y);
    if (!IS_WIDER || x > LDBL_MAX || y > LDBL_MAX)
        return hypot((double)x, (double)y);
    if (x != x || y != y)
        return x + y;
    long double large = x > y ? x : y, small = x > y ? y : x;
    int e;
    if (small == 0)
        return large;
    frexpl(large, &e);
    large = ldexpl(large, -e), small = ldexpl(small, -e);
    return ldexpl(sqrtl(large * large + small * small), e);
}

long double fmal(long double x, long double y, long double z) {
    if (!IS_WIDER)
        return fma((double)x, (double)y, (double)z);
    int ex, ey;
    long double a = frexpl(x, &ex), b = frexpl(y, &ey);
    if (x - x == 0 && y - y == 0 && z - z != 0)
        return z;
    if (x == 0 || y == 0 || z == 0 || x - x != 0 || y - y != 0)
        return x * y + z;
    /* Beside a far smaller number, the product stays as it is, and the other way round. */
    int scale = ex + ey, apart = ilogbl(z) - scale;
    if (apart > 3 * LDBL_MANT_DIG)
        return z + copysignl(ldexpl(1, LDBL_MIN_EXP - LDBL_MANT_DIG), a * b);
    long double c = apart < -3 * LDBL_MANT_DIG ? 0 : ldexpl(z, -scale);
    volatile long double product = a * b, sum = product + c, back = sum - product;
    long double lost = (product - (sum - back)) + (c - back);
    return ldexpl(sum + (lost + product_error(a, b, product)), scale);
}

/* Remainders */

/* x modulo y for positive numbers, and the low bits of the quotient. */
static long double reduce(long double x, long double y, unsigned *quotient) {
    *quotient = 0;
    if (x < y)
        return x;
    for (int n = ilogbl(x) - ilogbl(y); n >= 0; n--) {
        long double step = ldexpl(y, n);
        *quotient <<= 1;
        if (x >= step) {
            x -= step;
            *quotient |= 1;
        }
    }
    return x;
}

long double fmodl(long double x, long double y) {
    unsigned quotient;
    if (!IS_WIDER || x - x != 0 || y == 0 || y - y != 0)
        return x - x == 0 && fabsl(y) > LDBL_MAX ? x : fmod((double)x, (double)y);
    return copysignl(reduce(fabsl(x), fabsl(y), &quotient), x);
}

long double remquol(long double x, long double y, int *result) {
    if (!IS_WIDER)
        return remquo((double)x, (double)y, result);
    if (x - x != 0 || y == 0 || y != y)
        return remainder((double)x, (double)y);
    unsigned quotient = 0;
    long double size = fabsl(y), rest = fabsl(x);
    if (size <= LDBL_MAX)
        rest = reduce(rest, size, &quotient);
    int bits = (int)(quotient & 7);
    if (size <= LDBL_MAX && (rest > size - rest || (rest == size - rest && quotient % 2))) {
        rest -= size;
        bits++;
    }
    *result = __signbitl(x) != __signbitl(y) ? -bits : bits;
    return rest == 0 ? copysignl(0, x) : __signbitl(x) ? -rest : rest;
}

long double remainderl(long double x, long double y) {
    int quotient;
    return remquol(x, y, &quotient);
}
