//! sqrt, pow, exp, log, trigonometric and hyperbolic functions to ten digits.
#include <stdio.h>
#include <math.h>
int main(void) {
    static volatile double v[] = {0.001, 0.1, 0.5, 1, 1.5, 2, 3, 7.25, 10, 100, 1234.5};
    for (int i = 0; i < 11; i++) {
        double x = v[i];
        printf("%g: %.10g %.10g %.10g %.10g %.10g", x, sqrt(x), cbrt(x), log(x), log2(x), log10(x));
        printf(" %.10g %.10g %.10g %.10g", sin(x), cos(x), tan(x), atan(x));
        if (x <= 1) printf(" %.10g %.10g", asin(x), acos(x));
        if (x < 100) printf(" %.10g %.10g %.10g %.10g", exp(x), exp2(x), sinh(x), cosh(x));
        printf(" %.10g %.10g %.10g\n", tanh(x), expm1(-x), log1p(x));
    }
    static const double b[] = {0.5, 2, 10, 1.1}, e[] = {-3, -0.5, 0, 0.5, 1, 3, 10};
    for (int i = 0; i < 4; i++) { for (int j = 0; j < 7; j++) printf("%.10g ", pow(b[i], e[j])); printf("\n"); }
    printf("%.10g %.10g %.10g\n", pow(-2, 3), pow(-2, -2), pow(0, 0));
    for (int i = -4; i <= 4; i++) printf("%.10g ", atan2(i, 4 - i * i));
    printf("\n%.10g %.10g %.10g %.10g\n", hypot(3, 4), hypot(1e200, 1e200), fma(2, 3, 4), fma(0.1, 10, -1));
    printf("%.10g %.10g %.10g\n", sin(1e6), cos(-3.5), tan(-1));
    printf("%.10g %.10g %.10g %.10g\n", asinh(2), acosh(2), atanh(0.5), erf(0.5));
    printf("%.10g %.10g\n", tgamma(5), lgamma(10));
    printf("%d %d %d\n", isnan(sqrt(-v[3])) != 0, isinf(log(v[3] - 1)) != 0, isnan(acos(v[5])) != 0);
    printf("%g %g\n", exp(-1000.0), exp(1000.0));
    return 0;
}
