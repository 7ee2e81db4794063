/* complex.h: complex numbers. */
#ifndef _BROWNOUT_COMPLEX_H
#define _BROWNOUT_COMPLEX_H
#ifndef __cplusplus
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#define CMPLXF(re, im) __builtin_complex((float)(re), (float)(im))
#define CMPLXL(re, im) __builtin_complex((long double)(re), (long double)(im))
#define __BROWNOUT_COMPLEX(type, f)                                                                \
    type cabs##f(type _Complex), carg##f(type _Complex);                                           \
    type creal##f(type _Complex), cimag##f(type _Complex);                                         \
    type _Complex conj##f(type _Complex), cproj##f(type _Complex), csqrt##f(type _Complex);        \
    type _Complex cexp##f(type _Complex), clog##f(type _Complex);                                  \
    type _Complex cpow##f(type _Complex, type _Complex);                                           \
    type _Complex csin##f(type _Complex), ccos##f(type _Complex), ctan##f(type _Complex);          \
    type _Complex casin##f(type _Complex), cacos##f(type _Complex), catan##f(type _Complex);       \
    type _Complex csinh##f(type _Complex), ccosh##f(type _Complex), ctanh##f(type _Complex);       \
    type _Complex casinh##f(type _Complex), cacosh##f(type _Complex), catanh##f(type _Complex);
__BROWNOUT_COMPLEX(double, )
__BROWNOUT_COMPLEX(float, f)
__BROWNOUT_COMPLEX(long double, l)
#endif
#endif
