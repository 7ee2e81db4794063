//! printf of infinities and NaN with all floating conversions, widths and flags.
#include <stdio.h>
#include <math.h>

int main(void) {
    volatile double z = 0; double inf = 1 / z, nan = fabs(NAN);
    printf("%f %F %e %E %g %G %a %A\n", inf, inf, inf, inf, inf, inf, inf, inf);
    printf("%f %F %e %E %g %G %a %A\n", -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf);
    printf("%f %F %e %E %g %G %a %A\n", nan, nan, nan, nan, nan, nan, nan, nan);
    printf("[%8f][%-8f][%08f][%+f][% f][%.1f][%#g]\n", inf, inf, inf, inf, inf, inf, inf);
    printf("[%8f][%-8f][%08f][%+f][% f][%.1f]\n", nan, nan, nan, nan, nan, nan);
    printf("%f %g\n", (double)(float)inf, (double)-(float)inf);
    printf("%d %d %d\n", isinf(inf) != 0, isnan(nan) != 0, isfinite(inf) != 0);
    printf("%g %g %g\n", inf + 1, inf * -2, 1 / inf);
    printf("%d %d\n", inf - inf != inf - inf, 0 * inf != 0 * inf);
    return 0;
}
