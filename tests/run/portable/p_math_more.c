//! The functions of mathematics that few programs use, and generic ones.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <tgmath.h>

int main(void) {
    int quotient = 0;
    double rest = remquo(29.0, 3.0, &quotient);
    printf("%g %d %d\n", rest, quotient < 0, (quotient < 0 ? -quotient : quotient) & 7);
    rest = remquo(-7.5, 2.0, &quotient);
    printf("%g %d %d\n", rest, quotient < 0, (quotient < 0 ? -quotient : quotient) & 7);
    printf("%a %a\n", nexttoward(1.0, 2.0L), (double)nexttoward(1.0f, 0.0L));
    printf("%d %d %d\n", ilogb(1000.0), ilogb(0.001f), (int)logb(8.0L));
    printf("%g %g %g\n", scalbln(1.5, 4L), scalbn(3.0f, -2), ldexp(1.0, 10));
    printf("%.6f %.6f %.6f %.6f\n", erf(0.5), erfc(0.5), tgamma(5.5), lgamma(10.0));
    printf("%.6f %.6f %.6f\n", cbrt(27.0), hypot(3.0, 4.0), fma(2.0, 3.0, 4.0));
    printf("%g %g %g\n", fmax(1.0, NAN), fmin(2.0, NAN), fdim(5.0, 3.0));
    printf("%ld %ld %g %g\n", lround(2.5), lrint(2.5), nearbyint(3.5), rint(-2.5));
    printf("%d %d %d\n", isgreater(2.0, 1.0) != 0, isunordered(NAN, 1.0) != 0, signbit(-0.0) != 0);

    /* Of long double, what is exact on every target. */
    long double whole, part = modfl(-2.75L, &whole);
    printf("%g %g\n", (double)part, (double)whole);
    printf("%g %g %g %g\n", (double)floorl(-1.5L), (double)ceill(-1.5L), (double)roundl(2.5L), (double)rintl(2.5L));
    printf("%g %g %g\n", (double)sqrtl(6.25L), (double)fmodl(17.0L, 5.0L), (double)remainderl(17.0L, 5.0L));
    printf("%g %d %d\n", (double)fmal(2.0L, 3.0L, 4.0L), nextafterl(1.0L, 2.0L) > 1.0L, ilogbl(0.125L));
    printf("%g %g\n", (double)cbrtl(0.125L), (double)hypotl(5.0L, 12.0L));

    /* Generic: the type of the argument chooses the function. */
    printf("%d %d %d\n", sizeof(sqrt(2.0f)) == sizeof(float), sizeof(sqrt(2.0)) == sizeof(double),
           sizeof(fabs(2.0L)) == sizeof(long double));
    double _Complex z = sqrt((double _Complex)-4.0);
    printf("%g %g\n", creal(z), cimag(z));

    printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
    fenv_t environment;
    printf("%d %d\n", feholdexcept(&environment), fesetenv(&environment));
    return 0;
}
