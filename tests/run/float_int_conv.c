//! Conversions between integers of all widths and float/double, values kept in range.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    static volatile double d[] = {0.0, 0.49, 0.5, 0.99, 1.0, 1.5, 2.5, 126.999, -0.5, -0.99, -1.0, -127.9, 100.25};
    for (unsigned i = 0; i < sizeof d / sizeof *d; i++)
        printf("%g: %d %d %d %lld\n", d[i], (int8_t)d[i], (int16_t)d[i], (int)d[i], (long long)d[i]);
    static volatile double p[] = {0.9, 200.7, 255.0, 65535.9, 4294967295.0, 1e15 + 0.5, 9223372036854775808.0, 18446744073709549568.0};
    for (unsigned i = 0; i < sizeof p / sizeof *p; i++) {
        printf("%.17g: %llu", p[i], (unsigned long long)p[i]);
        if (p[i] < 4294967296.0) printf(" %u", (unsigned)p[i]);
        if (p[i] < 65536) printf(" %u", (uint16_t)p[i]);
        if (p[i] < 256) printf(" %u", (uint8_t)p[i]);
        printf("\n");
    }
    static volatile int64_t n[] = {0, 1, -1, 16777216, 16777217, 16777219, 9007199254740993ll, INT64_MAX, INT64_MIN, -33554433};
    for (unsigned i = 0; i < sizeof n / sizeof *n; i++)
        printf("%lld: %.9g %.17g %.9g %.17g\n", (long long)n[i], (double)(float)n[i], (double)n[i], (double)(float)(uint64_t)n[i], (double)(uint64_t)n[i]);
    static volatile uint32_t w[] = {0x7fffffff, 0x80000000u, 0xffffffffu, 0x01000001};
    for (int i = 0; i < 4; i++) printf("%.9g %.17g %.9g\n", (double)(float)w[i], (double)w[i], (double)(float)(int32_t)w[i]);
    volatile float f = -2147483648.0f, g = 2147483520.0f, h = 0.1f;
    printf("%d %d %.17g %.9g\n", (int)f, (int)g, (double)h, (double)(float)0.1);
    printf("%.9g %.9g\n", (double)(float)1e-50, (double)(float)123456789.0);
    int x = 7; x *= 1.5; printf("%d\n", x);
    x /= 0.75f; printf("%d\n", x);
    unsigned char uc = 250; uc -= 0.5; printf("%u\n", uc);
    printf("%d %d %d\n", (_Bool)0.1, (_Bool)-0.0, (_Bool)1e-300);
    return (int)3.99;
}
