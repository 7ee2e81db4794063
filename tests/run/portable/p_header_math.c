//! Every name that C11 has in <math.h> is there: mathematics.
#define _GNU_SOURCE 1
#include <math.h>
#include <stdio.h>

#ifndef HUGE_VAL
#error HUGE_VAL
#endif
#ifndef HUGE_VALF
#error HUGE_VALF
#endif
#ifndef HUGE_VALL
#error HUGE_VALL
#endif
#ifndef INFINITY
#error INFINITY
#endif
#ifndef NAN
#error NAN
#endif
#ifndef FP_INFINITE
#error FP_INFINITE
#endif
#ifndef FP_NAN
#error FP_NAN
#endif
#ifndef FP_NORMAL
#error FP_NORMAL
#endif
#ifndef FP_SUBNORMAL
#error FP_SUBNORMAL
#endif
#ifndef FP_ZERO
#error FP_ZERO
#endif
#ifndef FP_ILOGB0
#error FP_ILOGB0
#endif
#ifndef FP_ILOGBNAN
#error FP_ILOGBNAN
#endif
#ifndef MATH_ERRNO
#error MATH_ERRNO
#endif
#ifndef MATH_ERREXCEPT
#error MATH_ERREXCEPT
#endif
#ifndef math_errhandling
#error math_errhandling
#endif
#ifndef fpclassify
#error fpclassify
#endif
#ifndef isfinite
#error isfinite
#endif
#ifndef isinf
#error isinf
#endif
#ifndef isnan
#error isnan
#endif
#ifndef isnormal
#error isnormal
#endif
#ifndef signbit
#error signbit
#endif
#ifndef isgreater
#error isgreater
#endif
#ifndef isgreaterequal
#error isgreaterequal
#endif
#ifndef isless
#error isless
#endif
#ifndef islessequal
#error islessequal
#endif
#ifndef islessgreater
#error islessgreater
#endif
#ifndef isunordered
#error isunordered
#endif

static void (*const functions[])(void) = {
    (void (*)(void))acos, (void (*)(void))acosf, (void (*)(void))acosl, (void (*)(void))asin,
    (void (*)(void))asinf, (void (*)(void))asinl, (void (*)(void))atan, (void (*)(void))atanf,
    (void (*)(void))atanl, (void (*)(void))atan2, (void (*)(void))atan2f, (void (*)(void))atan2l,
    (void (*)(void))cos, (void (*)(void))cosf, (void (*)(void))cosl, (void (*)(void))sin,
    (void (*)(void))sinf, (void (*)(void))sinl, (void (*)(void))tan, (void (*)(void))tanf,
    (void (*)(void))tanl, (void (*)(void))acosh, (void (*)(void))acoshf, (void (*)(void))acoshl,
    (void (*)(void))asinh, (void (*)(void))asinhf, (void (*)(void))asinhl, (void (*)(void))atanh,
    (void (*)(void))atanhf, (void (*)(void))atanhl, (void (*)(void))cosh, (void (*)(void))coshf,
    (void (*)(void))coshl, (void (*)(void))sinh, (void (*)(void))sinhf, (void (*)(void))sinhl,
    (void (*)(void))tanh, (void (*)(void))tanhf, (void (*)(void))tanhl, (void (*)(void))exp,
    (void (*)(void))expf, (void (*)(void))expl, (void (*)(void))exp2, (void (*)(void))exp2f,
    (void (*)(void))exp2l, (void (*)(void))expm1, (void (*)(void))expm1f, (void (*)(void))expm1l,
    (void (*)(void))frexp, (void (*)(void))frexpf, (void (*)(void))frexpl, (void (*)(void))ilogb,
    (void (*)(void))ilogbf, (void (*)(void))ilogbl, (void (*)(void))ldexp, (void (*)(void))ldexpf,
    (void (*)(void))ldexpl, (void (*)(void))log, (void (*)(void))logf, (void (*)(void))logl,
    (void (*)(void))log10, (void (*)(void))log10f, (void (*)(void))log10l, (void (*)(void))log1p,
    (void (*)(void))log1pf, (void (*)(void))log1pl, (void (*)(void))log2, (void (*)(void))log2f,
    (void (*)(void))log2l, (void (*)(void))logb, (void (*)(void))logbf, (void (*)(void))logbl,
    (void (*)(void))modf, (void (*)(void))modff, (void (*)(void))modfl, (void (*)(void))scalbn,
    (void (*)(void))scalbnf, (void (*)(void))scalbnl, (void (*)(void))scalbln, (void (*)(void))scalblnf,
    (void (*)(void))scalblnl, (void (*)(void))cbrt, (void (*)(void))cbrtf, (void (*)(void))cbrtl,
    (void (*)(void))fabs, (void (*)(void))fabsf, (void (*)(void))fabsl, (void (*)(void))hypot,
    (void (*)(void))hypotf, (void (*)(void))hypotl, (void (*)(void))pow, (void (*)(void))powf,
    (void (*)(void))powl, (void (*)(void))sqrt, (void (*)(void))sqrtf, (void (*)(void))sqrtl,
    (void (*)(void))erf, (void (*)(void))erff, (void (*)(void))erfl, (void (*)(void))erfc,
    (void (*)(void))erfcf, (void (*)(void))erfcl, (void (*)(void))lgamma, (void (*)(void))lgammaf,
    (void (*)(void))lgammal, (void (*)(void))tgamma, (void (*)(void))tgammaf, (void (*)(void))tgammal,
    (void (*)(void))ceil, (void (*)(void))ceilf, (void (*)(void))ceill, (void (*)(void))floor,
    (void (*)(void))floorf, (void (*)(void))floorl, (void (*)(void))nearbyint, (void (*)(void))nearbyintf,
    (void (*)(void))nearbyintl, (void (*)(void))rint, (void (*)(void))rintf, (void (*)(void))rintl,
    (void (*)(void))lrint, (void (*)(void))lrintf, (void (*)(void))lrintl, (void (*)(void))llrint,
    (void (*)(void))llrintf, (void (*)(void))llrintl, (void (*)(void))round, (void (*)(void))roundf,
    (void (*)(void))roundl, (void (*)(void))lround, (void (*)(void))lroundf, (void (*)(void))lroundl,
    (void (*)(void))llround, (void (*)(void))llroundf, (void (*)(void))llroundl, (void (*)(void))trunc,
    (void (*)(void))truncf, (void (*)(void))truncl, (void (*)(void))fmod, (void (*)(void))fmodf,
    (void (*)(void))fmodl, (void (*)(void))remainder, (void (*)(void))remainderf, (void (*)(void))remainderl,
    (void (*)(void))remquo, (void (*)(void))remquof, (void (*)(void))remquol, (void (*)(void))copysign,
    (void (*)(void))copysignf, (void (*)(void))copysignl, (void (*)(void))nan, (void (*)(void))nanf,
    (void (*)(void))nanl, (void (*)(void))nextafter, (void (*)(void))nextafterf, (void (*)(void))nextafterl,
    (void (*)(void))nexttoward, (void (*)(void))nexttowardf, (void (*)(void))nexttowardl,
    (void (*)(void))fdim, (void (*)(void))fdimf, (void (*)(void))fdiml, (void (*)(void))fmax,
    (void (*)(void))fmaxf, (void (*)(void))fmaxl, (void (*)(void))fmin, (void (*)(void))fminf,
    (void (*)(void))fminl, (void (*)(void))fma, (void (*)(void))fmaf, (void (*)(void))fmal,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
