//! floor, ceil, round, trunc, rint, lround, fmod, remainder, modf and frexp at edge values.
#include <stdio.h>
#include <math.h>
int main(void) {
    static volatile double v[] = {0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, 1e15 + 0.5, 4503599627370497.5, -9007199254740993.0, 1e300, 123.456, -123.456, 0.999999, -1e-9};
    for (int i = 0; i < 17; i++) {
        double x = v[i], ip;
        int e;
        printf("%.17g: %.17g %.17g %.17g %.17g %.17g %.17g", x, floor(x), ceil(x), round(x), trunc(x), rint(x), nearbyint(x));
        double fr = modf(x, &ip);
        printf(" %.10g+%.10g", ip, fr);
        fr = frexp(x, &e);
        printf(" %.10g^%d", fr, e);
        if (fabs(x) < 1e15) printf(" %ld %lld %ld", lround(x), llround(x), lrint(x));
        printf("\n");
    }
    static const double p[][2] = {{7, 3}, {-7, 3}, {7, -3}, {5.5, 1.25}, {1e17, 3}, {0.3, 0.1}, {-0.0, 1}, {1e-5, 1e10}, {10, 2.5}};
    for (int i = 0; i < 9; i++) printf("%.10g %.10g\n", fmod(p[i][0], p[i][1]), remainder(p[i][0], p[i][1]));
    for (int i = 0; i < 8; i++) printf("%g %g %g %g ", (double)floorf((float)v[i]), (double)ceilf((float)v[i]), (double)roundf((float)v[i]), (double)truncf((float)v[i]));
    printf("\n%g %g %g %g\n", ldexp(0.75, 10), scalbn(3, -4), copysign(2, -0.0), fabs(-3.5));
    printf("%d %g %g %g\n", ilogb(1000), logb(0.1), nextafter(1, 2) - 1, fdim(5, 3));
    return (int)round(4.5);
}
