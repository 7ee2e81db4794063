//! Complex quotients: large and small divisors, infinities, zeros, not-a-numbers, wide exponents.
#include <complex.h>
#include <math.h>
#include <stdio.h>

/* A number is infinite if one part is, whatever the other is. */
static void show(double _Complex q) {
    double re = fabs(creal(q)), im = fabs(cimag(q));
    if (isinf(re) || isinf(im)) printf("infinite\n");
    else if (isnan(re) || isnan(im)) printf("not a number\n");
    else printf("%.9g %.9g\n", re, im);
}

int main(void) {
    static volatile double values[] = {0.0, -0.0, 1, -2.5, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof values / sizeof *values };
    for (int a = 0; a < COUNT; a++)
        for (int b = 2; b < COUNT; b += 2)
            for (int c = 0; c < COUNT; c++)
                for (int d = 0; d < COUNT; d += 2) {
                    double _Complex n = __builtin_complex(values[a], values[b]), m = __builtin_complex(values[c], values[d]);
                    double _Complex q = n / m;
                    /* What overflows on the way is left to the implementation. */
                    if (fabs(values[a]) == 1e300 || fabs(values[b]) == 1e300) continue;
                    if (fabs(values[a]) == 1e-300 || fabs(values[b]) == 1e-300) continue;
                    show(q);
                }
    volatile long double big = 0x1p9000L;
    long double _Complex wide = (__builtin_complex(3.0L, 4.0L) * big) / (__builtin_complex(1.0L, 2.0L) * big);
    printf("%.9g %.9g\n", (double)creall(wide), (double)cimagl(wide));
    float _Complex f = __builtin_complex(3.0f, 4.0f) / __builtin_complex(1e30f, -1e30f);
    printf("%.6g %.6g\n", (double)crealf(f), (double)cimagf(f));
    return 0;
}
