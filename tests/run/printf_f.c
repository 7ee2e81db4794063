//! printf %f and %F over many values, precisions, widths and flags, rounding ties to even.
#include <stdio.h>

int main(void) {
    static const double v[] = {0.0, -0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e-7, 123456.789, -9.995, 0.045, 1e15, 1e22, 123456789012345680.0, 1.7976931348623157e308, 4.9e-324, 2.675, 1.005, 99.9999999, 0.1};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        if (i == 14) { printf("%.0f\n", v[i]); continue; }
        printf("%f|%.0f|%.1f|%.2f|%.10f|%.20f|%12.3f|%-12.1f|%+.2f|%012.4f|% .1f|%#.0f\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("%F %lf %.3f %8.2f\n", 1.5, 2.5, (double)1.1f, -0.004);
    printf("%.50f\n%.60f\n", 0.1, 1.0 / 3);
    printf("%.15f %.16f %.17f\n", 0.3, 0.3, 0.3);
    printf("%*.*f|%-*.*f|\n", 12, 3, 3.14159, 10, 1, 2.71828);
    for (double d = 1; d < 1e9; d *= 9.99) printf("%.3f ", d); printf("\n%.1074f\n", 4.9e-324);
    return 0;
}
