//! Double and float arithmetic, comparison and conversions in range.
#include <stdio.h>
#include <inttypes.h>
static double half_way(double lo, double hi, double (*f)(double)) {
    for (int i = 0; i < 40; i++) { double m = (lo + hi) / 2; if (f(lo) * f(m) <= 0) hi = m; else lo = m; }
    return lo;
}
static double quad(double x) { return x * x - 2; }
static float avg(const float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; return s / (float)n; }
int main(void) {
    printf("%.9f\n", half_way(1, 2, quad));
    float v[5] = {1, 2.5f, -3, 0.125f, 100};
    printf("%.6f\n", (double)avg(v, 5));
    double x = 1; for (int i = 0; i < 20; i++) x = (x + 2 / x) / 2; printf("%.14f\n", x);
    double pi = 0; for (int k = 0; k < 200; k++) pi += (k % 2 ? -4.0 : 4.0) / (2.0 * k + 1); printf("%.10f\n", pi);
    static volatile double c[] = {0.9, -0.9, 127.5, -128.4, 32767.9, 65535.5, -1e6, 3e9, 1e18};
    for (int i = 0; i < 5; i++) printf("%d ", (int16_t)c[i]);
    printf("%u %ld %" PRIu32 " %" PRId64 "\n", (uint16_t)c[5], (long)(int32_t)c[6], (uint32_t)c[7], (int64_t)c[8]);
    volatile int32_t big = INT32_C(16777217);
    printf("%.1f %.1f\n", (double)big, (double)(float)big);
    volatile uint64_t q = UINT64_C(18446744073709551615);
    printf("%.1f\n", (double)q);
    printf("%d%d%d%d\n", 0.1 + 0.2 == 0.3, 0.5f == 0.5, -0.0 == 0.0, 1.0 / 3 < 0.3334);
    return 0;
}
