/* math.h: mathematics; all functions are in src/math.c and src/math_long.c. */
#ifndef _BROWNOUT_MATH_H
#define _BROWNOUT_MATH_H
#include <sys/cdefs.h>
__BEGIN_DECLS
typedef float float_t;
typedef double double_t;
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 0
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-__INT_MAX__ - 1)
#define FP_ILOGBNAN (-__INT_MAX__ - 1)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define __BROWNOUT_MATH1(name) \
    double name(double);       \
    float name##f(float);      \
    long double name##l(long double);
#define __BROWNOUT_MATH2(name)   \
    double name(double, double); \
    float name##f(float, float); \
    long double name##l(long double, long double);
__BROWNOUT_MATH1(sin) __BROWNOUT_MATH1(cos) __BROWNOUT_MATH1(tan)
__BROWNOUT_MATH1(asin) __BROWNOUT_MATH1(acos) __BROWNOUT_MATH1(atan)
__BROWNOUT_MATH1(sinh) __BROWNOUT_MATH1(cosh) __BROWNOUT_MATH1(tanh)
__BROWNOUT_MATH1(asinh) __BROWNOUT_MATH1(acosh) __BROWNOUT_MATH1(atanh)
__BROWNOUT_MATH1(exp) __BROWNOUT_MATH1(exp2) __BROWNOUT_MATH1(exp10) __BROWNOUT_MATH1(expm1)
__BROWNOUT_MATH1(log) __BROWNOUT_MATH1(log2) __BROWNOUT_MATH1(log10) __BROWNOUT_MATH1(log1p)
__BROWNOUT_MATH1(sqrt) __BROWNOUT_MATH1(cbrt)
__BROWNOUT_MATH1(floor) __BROWNOUT_MATH1(ceil) __BROWNOUT_MATH1(trunc) __BROWNOUT_MATH1(round)
__BROWNOUT_MATH1(rint) __BROWNOUT_MATH1(nearbyint) __BROWNOUT_MATH1(fabs)
__BROWNOUT_MATH1(erf) __BROWNOUT_MATH1(erfc) __BROWNOUT_MATH1(tgamma) __BROWNOUT_MATH1(lgamma)
__BROWNOUT_MATH1(logb)
__BROWNOUT_MATH2(atan2) __BROWNOUT_MATH2(pow) __BROWNOUT_MATH2(hypot) __BROWNOUT_MATH2(fmod)
__BROWNOUT_MATH2(remainder) __BROWNOUT_MATH2(fmin) __BROWNOUT_MATH2(fmax)
__BROWNOUT_MATH2(copysign) __BROWNOUT_MATH2(fdim) __BROWNOUT_MATH2(nextafter)

#define __BROWNOUT_MATH_OTHER(T, suffix)                   \
    T fma##suffix(T, T, T);                                \
    T remquo##suffix(T, T, int *);                         \
    T nexttoward##suffix(T, long double);                  \
    T frexp##suffix(T, int *);                             \
    T ldexp##suffix(T, int);                               \
    T scalbn##suffix(T, int);                              \
    T scalbln##suffix(T, long);                            \
    T modf##suffix(T, T *);                                \
    T nan##suffix(const char *);                           \
    int ilogb##suffix(T);                                  \
    long lround##suffix(T);                                \
    long lrint##suffix(T);                                 \
    long long llround##suffix(T);                          \
    long long llrint##suffix(T);                           \
    void sincos##suffix(T, T *, T *);                      \
    int __fpclassify##suffix(T);                           \
    int __signbit##suffix(T);
__BROWNOUT_MATH_OTHER(double, )
__BROWNOUT_MATH_OTHER(float, f)
__BROWNOUT_MATH_OTHER(long double, l)

#define __BROWNOUT_CLASS(function, x)                        \
    (sizeof(x) == sizeof(float)    ? function##f((float)(x)) \
     : sizeof(x) == sizeof(double) ? function((double)(x))   \
                                   : function##l((x)))
#define fpclassify(x) __BROWNOUT_CLASS(__fpclassify, x)
#define signbit(x) __BROWNOUT_CLASS(__signbit, x)
#define isnan(x) (fpclassify(x) == FP_NAN)
#define isinf(x) (fpclassify(x) == FP_INFINITE)
#define isfinite(x) (fpclassify(x) > FP_INFINITE)
#define isnormal(x) (fpclassify(x) == FP_NORMAL)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
__END_DECLS
#endif
