//! printf %g and %G: style choice, trailing zeros, alternate form and precision edge cases.
#include <stdio.h>

int main(void) {
    static const double v[] = {0.0, -0.0, 1, 10, 100000, 999999, 1000000, 999999.25, 123456789, 0.0001, 0.00001, 0.000123456789, 1.5, 1e10, 1e100, 1e-5, 100, 3.14159265358979, -2.5e-10, 0.1, 1e21, 4.9e-324, 1.7976931348623157e308, 0.99999999};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) printf("%g|%.0g|%.1g|%.3g|%.10g|%.17g|%#g|%#.3g|%12g|%-12g|%+g|%012g|%G\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    for (double d = 1e-7; d < 1e12; d *= 10) printf("%g ", d);
    printf("\n");
    for (int p = 0; p < 22; p++) printf("%.*g ", p, 123.456);
    printf("\n");
    printf("%g %g %g\n", 1e5 - 0.5, 99999.95, 999999.4999);
    printf("%.3g %.3g %.3g\n", 0.00012345, 1234.5, 99.95);
    float f = 0.1f;
    printf("%g %.9g %.12g\n", f, f, f);
    return 0;
}
