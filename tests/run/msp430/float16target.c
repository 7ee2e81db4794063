//! Floating point conversions to and from 16-bit int and 32-bit long.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    volatile double d = 32767.75;
    printf("%d\n", (int)d);
    d = -32768.5;
    printf("%d\n", (int)d);
    d = 65535.9;
    printf("%u\n", (unsigned)d);
    d = 2147483647.0;
    printf("%ld\n", (long)d);
    d = 4294967295.0;
    printf("%lu\n", (unsigned long)d);
    d = -1e15;
    printf("%lld\n", (long long)d);
    volatile int i = -32767;
    volatile unsigned u = 65535u;
    volatile long l = -2147483647L;
    volatile unsigned long ul = 4294967295ul;
    printf("%.1f %.1f %.1f %.1f\n", (double)i, (double)u, (double)l, (double)ul);
    printf("%.1f %.1f\n", (double)(float)l, (double)(float)ul);
    volatile float f = 1.5f;
    printf("%.3f %d %ld\n", (double)(f * 3), (int)(f * 1000), (long)(f * 100000.0f));
    i = 7;
    printf("%.4f %d\n", i / 2.0, i / 2);
    printf("%d %d\n", (int)sizeof(f * 1.0f), (int)sizeof(f * 1.0));
    u = 40000u;
    printf("%.1f %.1f\n", u * 2.0, (double)(u * 2u));
    return 0;
}
