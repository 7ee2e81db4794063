//! 32-bit long and 64-bit long long arithmetic done on a 16-bit machine.
#include <stdio.h>
int main(void) {
    volatile long a = 100000L, b = -7L; printf("%ld %ld %ld %ld %ld\n", a + b, a - b, a * b, a / b, a % b);
    volatile unsigned long u = 4000000000ul, v = 65537ul;
    printf("%lu %lu %lu %lu %lu\n", u + v, u - v, u * v, u / v, u % v);
    printf("%lx %lx %ld\n", u << 3, u >> 5, -100000L >> 3);
    volatile long long q = 123456789012LL, r = -54321LL;
    printf("%lld %lld %lld %lld %lld\n", q + r, q - r, q * r, q / r, q % r);
    printf("%llx %llx\n", (unsigned long long)q << 20, (unsigned long long)q >> 9);
    printf("%d %d %d\n", a > b, u > v, q < r);
    volatile int i = -3;
    volatile unsigned w = 50000u;
    printf("%ld %ld %lld\n", a * i, a + w, q + i);
    printf("%lu\n", u + w);
    printf("%d %u\n", (int)(a & 0x7fff), (unsigned)u);
    unsigned long f = 1;
    for (unsigned k = 2; k <= 12; k++) f *= k;
    printf("%lu\n", f);
    printf("%ld %ld\n", a / 10 % 10, a * 20000L / 3);
    return 0;
}
