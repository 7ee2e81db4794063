/* Complex arithmetic that the compiler calls for by name: products and
 * quotients with the corner cases of C11 annex G (quotients scale by the power of
 * two of the larger part of the divisor, as compiler-rt's do), and the simplest
 * functions of <complex.h>. */

#include <math.h>

#define ARITHMETIC(type, suffix, isnan_, isinf_, copysign_, fabs_, fmax_, ilogb_, scale_down)      \
    type _Complex __mul##suffix(type a, type b, type c, type d) {                                   \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                        \
        type re = ac - bd, im = ad + bc;                                                            \
        if (isnan_(re) && isnan_(im)) {                                                             \
            int again = 0;                                                                          \
            if (isinf_(a) || isinf_(b)) {                                                           \
                a = copysign_(isinf_(a) ? 1 : 0, a);                                                \
                b = copysign_(isinf_(b) ? 1 : 0, b);                                                \
                if (isnan_(c)) c = copysign_(0, c);                                                 \
                if (isnan_(d)) d = copysign_(0, d);                                                 \
                again = 1;                                                                          \
            }                                                                                       \
            if (isinf_(c) || isinf_(d)) {                                                           \
                c = copysign_(isinf_(c) ? 1 : 0, c);                                                \
                d = copysign_(isinf_(d) ? 1 : 0, d);                                                \
                if (isnan_(a)) a = copysign_(0, a);                                                 \
                if (isnan_(b)) b = copysign_(0, b);                                                 \
                again = 1;                                                                          \
            }                                                                                       \
            if (again) {                                                                            \
                re = (type)INFINITY * (a * c - b * d);                                              \
                im = (type)INFINITY * (a * d + b * c);                                              \
            }                                                                                       \
        }                                                                                           \
        type _Complex result;                                                                       \
        __real__ result = re;                                                                       \
        __imag__ result = im;                                                                       \
        return result;                                                                              \
    }                                                                                               \
    type _Complex __div##suffix(type a, type b, type c, type d) {                                   \
        type largest = fmax_(fabs_(c), fabs_(d)); /* not NaN if one of them is a number */         \
        int shift = 0;                                                                              \
        if (largest > 0 && !isinf_(largest) && !isnan_(largest)) {                                  \
            shift = ilogb_(largest);                                                                \
            c = scale_down(c, -shift);                                                              \
            d = scale_down(d, -shift);                                                              \
        }                                                                                           \
        type size = c * c + d * d;                                                                  \
        type re = scale_down((a * c + b * d) / size, -shift);                                       \
        type im = scale_down((b * c - a * d) / size, -shift);                                       \
        if (isnan_(re) && isnan_(im)) {                                                             \
            if (size == 0 && (!isnan_(a) || !isnan_(b))) {                                          \
                re = copysign_((type)INFINITY, c) * a;                                              \
                im = copysign_((type)INFINITY, c) * b;                                              \
            } else if ((isinf_(a) || isinf_(b)) && !isinf_(c) && !isnan_(c) && !isinf_(d) && !isnan_(d)) { \
                a = copysign_(isinf_(a) ? 1 : 0, a);                                                \
                b = copysign_(isinf_(b) ? 1 : 0, b);                                                \
                re = (type)INFINITY * (a * c + b * d);                                              \
                im = (type)INFINITY * (b * c - a * d);                                              \
            } else if (isinf_(largest) && !isinf_(a) && !isnan_(a) && !isinf_(b) && !isnan_(b)) {             \
                c = copysign_(isinf_(c) ? 1 : 0, c);                                                \
                d = copysign_(isinf_(d) ? 1 : 0, d);                                                \
                re = 0 * (a * c + b * d);                                                           \
                im = 0 * (b * c - a * d);                                                           \
            }                                                                                       \
        }                                                                                           \
        type _Complex result;                                                                       \
        __real__ result = re;                                                                       \
        __imag__ result = im;                                                                       \
        return result;                                                                              \
    }

ARITHMETIC(double, dc3, isnan, isinf, copysign, fabs, fmax, ilogb, scalbn)
ARITHMETIC(float, sc3, isnan, isinf, copysignf, fabsf, fmaxf, ilogbf, scalbnf)
#if defined(__x86_64__) || defined(__i386__)
ARITHMETIC(long double, xc3, isnan, isinf, copysignl, fabsl, fmaxl, ilogbl, scalbnl)
#else
ARITHMETIC(long double, tc3, isnan, isinf, copysignl, fabsl, fmaxl, ilogbl, scalbnl)
#endif

double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }
double creal(double _Complex z) { return __real__ z; }
float crealf(float _Complex z) { return __real__ z; }
double cimag(double _Complex z) { return __imag__ z; }
float cimagf(float _Complex z) { return __imag__ z; }
double _Complex conj(double _Complex z) { return ~z; }
float _Complex conjf(float _Complex z) { return ~z; }

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
    type _Complex cproj##f(type _Complex z) {                                                       \
        if (isinf(__real__ z) || isinf(__imag__ z))                                                 \
            return pair##f((type)INFINITY, copysign##f(0, __imag__ z));                             \
        return z;                                                                                   \
    }

FUNCTIONS(double, )
FUNCTIONS(float, f)
