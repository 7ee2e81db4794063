//! Comparisons of doubles and floats including NaN, infinities and signed zeros.
#include <stdio.h>
#include <math.h>
static const char *order(double a, double b) { return a < b ? "<" : a > b ? ">" : a == b ? "=" : "?"; }
int main(void) {
    volatile double z = 0;
    double v[] = {-1 / z, -1.5, -z, z, 5e-324, 1, 1 / z, NAN};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            double a = v[i], b = v[j];
            printf("%d%d%d%d%d%d%s ", a < b, a <= b, a > b, a >= b, a == b, a != b, order(a, b));
        }
        printf("\n");
    }
    volatile float f = 0.1f;
    printf("%d %d %d\n", f == 0.1f, f == 0.1, (double)f > 0.1);
    for (int i = 0; i < 8; i++) printf("%d%d%d%d%d ", isnan(v[i]) != 0, isinf(v[i]) != 0, isfinite(v[i]) != 0, isnormal(v[i]) != 0, i < 7 && signbit(v[i]) != 0);
    printf("\n");
    printf("%d %d %d %d\n", isless(v[0], v[1]), isgreater(v[7], v[0]), islessgreater(v[1], v[2]), isunordered(v[7], v[7]));
    printf("%d %d\n", !v[7], !v[2]);
    if (v[7]) printf("nan is true\n");
    if (!(v[7] < 1)) printf("not less\n");
    printf("%d %d %d\n", fpclassify(v[3]) == FP_ZERO, fpclassify(v[4]) == FP_SUBNORMAL, fpclassify(v[7]) == FP_NAN);
    printf("%g %g %g\n", fmin(v[7], 2), fmax(3, v[7]), fmax(-1, 1));
    double m = v[0];
    for (int i = 1; i < 7; i++) if (v[i] > m) m = v[i];
    printf("%g %g\n", m, 1 / v[2]);
    volatile float nf = NAN;
    printf("%d %d %d\n", nf == nf, nf != nf, nf < 1.0f);
    return 0;
}
