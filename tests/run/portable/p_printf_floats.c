//! printf of doubles with %f %e %g, rounding, infinities and NaN.
#include <stdio.h>
int main(void) {
    static volatile double v[] = {0.0, 1.0, -1.5, 0.1, 123.456, 1e10, 1e-7, 2.5, 0.5, 99999.95, -0.001};
    for (int i = 0; i < 11; i++) printf("%f %.0f %.2f %10.3f|%-9.1f|%e %.3e %g %.3g %G\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    volatile double z = 0;
    double inf = 1 / z;
    printf("%f %e %g %8.2f\n", inf, -inf, inf, -inf);
    printf("%d\n", (inf - inf) != (inf - inf));
    printf("%.15g %.17g\n", 0.1, 0.1);
    printf("%+.1f % .1f %08.2f %#.0f\n", 2.25, 2.25, -3.14159, 3.0);
    float f = 0.3f;
    printf("%.9g %.3f\n", (double)f, (double)f);
    return 0;
}
