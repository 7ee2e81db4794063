/* Complex arithmetic that the compiler calls for by name: products and
 * quotients with the corner cases of C11 annex G (quotients scale by the power of
 * two of the larger part of the divisor, as compiler-rt's do). */

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
