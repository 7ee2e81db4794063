/* complex_functions.c: the functions of <complex.h>, made of real ones in the same way for every type.
 * Finite arguments give what annex G of C11 wants; for infinite ones and NaN, only roots and projections
 * do.  Those of long double are as precise as double. */

#include <complex.h>
#include <math.h>

#define PARTS(type, f)                                                                              \
    type cabs##f(type _Complex z) { return hypot##f(__real__ z, __imag__ z); }                      \
    type carg##f(type _Complex z) { return atan2##f(__imag__ z, __real__ z); }                      \
    type creal##f(type _Complex z) { return __real__ z; }                                           \
    type cimag##f(type _Complex z) { return __imag__ z; }                                           \
    type _Complex conj##f(type _Complex z) { return ~z; }
PARTS(double, )
PARTS(float, f)
PARTS(long double, l)

/* The functions that are made of real ones, in the same way for every type. */
#define FUNCTIONS(type, f)                                                                          \
    static type _Complex pair##f(type re, type im) {                                                \
        type _Complex z;                                                                            \
        __real__ z = re;                                                                            \
        __imag__ z = im;                                                                            \
        return z;                                                                                   \
    }                                                                                               \
    /* The root with a real part that is not negative. */                                           \
    type _Complex csqrt##f(type _Complex z) {                                                       \
        type a = __real__ z, b = __imag__ z;                                                        \
        if (a == 0 && b == 0) return pair##f(0, b);                                                 \
        if (isinf(b)) return pair##f((type)INFINITY, b);                                            \
        if (isnan(a)) return pair##f(a, a);                                                         \
        if (isinf(a)) {                                                                             \
            type still = b - b;                                                                     \
            return a > 0 ? pair##f(a, copysign##f(still, b)) : pair##f(fabs##f(still), copysign##f(a, b)); \
        }                                                                                           \
        /* Scaled, so that the sum has room. */                                                     \
        int is_large = fabs##f(a) > 1e30f || fabs##f(b) > 1e30f;                                    \
        if (is_large) a /= 4, b /= 4;                                                               \
        type root = sqrt##f((hypot##f(a, b) + fabs##f(a)) / 2);                                     \
        type other = b / (2 * root);                                                                \
        type scale = is_large ? 2 : 1;                                                              \
        if (a >= 0) return pair##f(root * scale, other * scale);                                    \
        return pair##f(fabs##f(other) * scale, copysign##f(root, b) * scale);                       \
    }                                                                                               \
    type _Complex cexp##f(type _Complex z) {                                                        \
        type size = exp##f(__real__ z), angle = __imag__ z;                                         \
        if (angle == 0) return pair##f(size, angle);                                                \
        return pair##f(size * cos##f(angle), size * sin##f(angle));                                 \
    }                                                                                               \
    type _Complex clog##f(type _Complex z) {                                                        \
        type size = cabs##f(z), a = fabs##f(__real__ z), b = fabs##f(__imag__ z);                    \
        type large = a > b ? a : b, small = a > b ? b : a;                                          \
        /* Near the circle of size 1 the logarithm is small, and digits of it must not be lost. */  \
        type log_size = size > (type)0.5 && size < 2                                                \
            ? log1p##f((large - 1) * (large + 1) + small * small) / 2 : log##f(size);               \
        return pair##f(log_size, carg##f(z));                                                       \
    }                                                                                               \
    type _Complex cpow##f(type _Complex z, type _Complex n) {                                       \
        if (__real__ z == 0 && __imag__ z == 0) return __real__ n == 0 ? 1 : 0;                     \
        return cexp##f(n * clog##f(z));                                                             \
    }                                                                                               \
    type _Complex csinh##f(type _Complex z) {                                                       \
        type a = __real__ z, b = __imag__ z;                                                        \
        return pair##f(sinh##f(a) * cos##f(b), cosh##f(a) * sin##f(b));                             \
    }                                                                                               \
    type _Complex ccosh##f(type _Complex z) {                                                       \
        type a = __real__ z, b = __imag__ z;                                                        \
        return pair##f(cosh##f(a) * cos##f(b), sinh##f(a) * sin##f(b));                             \
    }                                                                                               \
    type _Complex csin##f(type _Complex z) {                                                        \
        type a = __real__ z, b = __imag__ z;                                                        \
        return pair##f(sin##f(a) * cosh##f(b), cos##f(a) * sinh##f(b));                             \
    }                                                                                               \
    type _Complex ccos##f(type _Complex z) {                                                        \
        type a = __real__ z, b = __imag__ z;                                                        \
        return pair##f(cos##f(a) * cosh##f(b), -sin##f(a) * sinh##f(b));                            \
    }                                                                                               \
    type _Complex ctanh##f(type _Complex z) {                                                       \
        type a = __real__ z, t = tan##f(__imag__ z);                                                \
        if (fabs##f(a) > 20) { /* sinh would grow without need */                                   \
            type small = exp##f(-2 * fabs##f(a)), c = cos##f(__imag__ z);                           \
            return pair##f(copysign##f(1, a), 4 * t * c * c * small);                               \
        }                                                                                           \
        type s = sinh##f(a), slope = 1 + t * t, size = 1 + slope * s * s;                           \
        return pair##f(slope * sqrt##f(1 + s * s) * s / size, t / size);                            \
    }                                                                                               \
    type _Complex catanh##f(type _Complex z) {                                                      \
        type a = fabs##f(__real__ z), b = __imag__ z, rest = (1 - a) * (1 - a) + b * b;             \
        type re = copysign##f(log1p##f(4 * a / rest) / 4, __real__ z);                              \
        return pair##f(re, atan2##f(2 * b, (1 - a) * (1 + a) - b * b) / 2);                         \
    }                                                                                               \
    /* The roots of 1 - z and 1 + z, of which the inverse functions are made without losing digits. */\
    type _Complex casin##f(type _Complex z) {                                                       \
        type _Complex less = csqrt##f(pair##f(1 - __real__ z, -__imag__ z));                        \
        type _Complex more = csqrt##f(pair##f(1 + __real__ z, __imag__ z));                         \
        type re = __real__ less * __real__ more - __imag__ less * __imag__ more;                    \
        type im = __real__ less * __imag__ more - __imag__ less * __real__ more;                    \
        return pair##f(atan2##f(__real__ z, re), asinh##f(im));                                     \
    }                                                                                               \
    type _Complex cacos##f(type _Complex z) {                                                       \
        type _Complex less = csqrt##f(pair##f(1 - __real__ z, -__imag__ z));                        \
        type _Complex more = csqrt##f(pair##f(1 + __real__ z, __imag__ z));                         \
        type im = __real__ more * __imag__ less - __imag__ more * __real__ less;                    \
        return pair##f(2 * atan2##f(__real__ less, __real__ more), asinh##f(im));                   \
    }                                                                                               \
    type _Complex cacosh##f(type _Complex z) {                                                      \
        type _Complex less = csqrt##f(pair##f(__real__ z - 1, __imag__ z));                         \
        type _Complex more = csqrt##f(pair##f(__real__ z + 1, __imag__ z));                         \
        type re = __real__ less * __real__ more + __imag__ less * __imag__ more;                    \
        return pair##f(asinh##f(re), 2 * atan2##f(__imag__ less, __real__ more));                   \
    }                                                                                               \
    /* The others are these, turned by a right angle. */                                            \
    type _Complex casinh##f(type _Complex z) {                                                      \
        type _Complex turned = casin##f(pair##f(-__imag__ z, __real__ z));                          \
        return pair##f(__imag__ turned, -__real__ turned);                                          \
    }                                                                                               \
    type _Complex catan##f(type _Complex z) {                                                       \
        type _Complex turned = catanh##f(pair##f(-__imag__ z, __real__ z));                         \
        return pair##f(__imag__ turned, -__real__ turned);                                          \
    }                                                                                               \
    type _Complex ctan##f(type _Complex z) {                                                        \
        type _Complex turned = ctanh##f(pair##f(-__imag__ z, __real__ z));                          \
        return pair##f(__imag__ turned, -__real__ turned);                                          \
    }                                                                                               \
    type _Complex cproj##f(type _Complex z) {                                                       \
        if (isinf(__real__ z) || isinf(__imag__ z))                                                 \
            return pair##f((type)INFINITY, copysign##f(0, __imag__ z));                             \
        return z;                                                                                   \
    }

FUNCTIONS(double, )
FUNCTIONS(float, f)
FUNCTIONS(long double, l)
