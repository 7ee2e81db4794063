//! printf %e and %E over many values, precisions and flags.
#include <stdio.h>

int main(void) {
    static const double v[] = {0.0, -0.0, 1, 9.5, 0.5, 12345.678, 1e100, 1e-100, 9.9999999e9, 2.5e-5, 1.7976931348623157e308, 2.2250738585072014e-308, 4.9e-324, -31415.9265, 1e5, 999999.5, 8.5e15};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) printf("%e|%.0e|%.1e|%.3E|%.10e|%.17e|%14.2e|%-14.2e|%+.1e|%014.3e|% e|%#.0e\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%.40e\n%.30e\n", 0.1, 1.0 / 7);
    for (double d = 1; d > 1e-12; d /= 7) printf("%.4e ", d);
    printf("\n");
    for (int i = 0; i < 20; i += 3) printf("%.*e ", i, 2.0 / 3);
    printf("\n");
    return 0;
}
