//! Single precision arithmetic: rounding, accumulation, denormals and conversions.
#include <stdio.h>
#include <float.h>
#include <string.h>
#include <stdint.h>
static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static float fs(float a, float b) { return a - b * 0.5f; }
static float kahan(const float *v, int n) {
    volatile float s = 0, c = 0;
    for (int i = 0; i < n; i++) { volatile float y = v[i] - c, t = s + y; c = (t - s) - y; s = t; }
    return s;
}
int main(void) {
    static volatile float v[] = {0, 1, -1, 0.1f, 3.3333333f, 1e10f, -1e-10f, 16777216, FLT_MAX, FLT_MIN, FLT_EPSILON};
    for (int i = 0; i < 11; i++) for (int j = 0; j < 11; j += 2) {
        float a = v[i], b = v[j];
        printf("%08x %08x %08x", bits(a + b), bits(a - b), bits(a * b));
        if (b != 0) printf(" %08x", bits(a / b));
        printf("\n");
    }
    volatile float one = 1, s = 0;
    for (int i = 0; i < 1000; i++) s += 0.1f;
    printf("%.9g\n", (double)s);
    printf("%d %d\n", one + FLT_EPSILON > one, one + FLT_EPSILON / 2 > one);
    volatile float d = FLT_MIN;
    for (int i = 0; i < 25; i++) { d /= 2; if (i % 6 == 0) printf("%08x ", bits(d)); }
    printf("\n");
    float arr[100];
    for (int i = 0; i < 100; i++) arr[i] = 1.0f / (float)(i + 1);
    printf("%.9g %.9g\n", (double)kahan(arr, 100), (double)fs(10, 3));
    volatile double big = 1.0000000596046448;
    printf("%08x %08x\n", bits((float)big), bits((float)1e-45));
    printf("%.9g %.17g\n", (double)(v[3] * v[4]), (double)v[3] * (double)v[4]);
    float x = 5;
    x += 0.5;
    x *= 2;
    x -= 1.0f / 3;
    printf("%.9g\n", (double)x);
    printf("%d %d %d\n", FLT_DIG, FLT_MANT_DIG, (int)sizeof(float));
    return (int)x;
}
