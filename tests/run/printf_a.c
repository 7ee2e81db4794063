//! printf %a and %A for normal doubles, zeros and rounding to a precision.
#include <stdio.h>

int main(void) {
    static const double v[] = {0.0, -0.0, 1, -1, 0.5, 2, 3, 0.1, 1.0 / 3, 1e10, 1e-10, 255.75, 1.7976931348623157e308, 2.2250738585072014e-308, 1.9999999999999998, 1048576};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) printf("%a|%A|%.1a|%.3a|%.13a|%24a|%-24a|%+a|%024a|% a\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%.0a %.0a %.0a\n", 1.0, 1.25, 4.0);
    printf("%.2a %.2a %.2a\n", 0x1.018p0, 0x1.008p0, 0x1.0180001p0);
    printf("%a %a\n", 0x1.8p+1, 0x.4p-2);
    printf("%.20a\n", 0.1);
    printf("%a %a\n", (double)0.1f, (double)16777216.0f);
    return 0;
}
