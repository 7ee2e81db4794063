//! Integer promotions when int has 16 bits: uint16_t promotes to unsigned.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    volatile uint16_t a = 1, b = 2; volatile uint8_t c = 1, d = 2; volatile int16_t s = -1; volatile uint32_t w = 1;
    printf("%d %d\n", a - b < 0, c - d < 0);
    printf("%u %d\n", a - b, c - d);
    printf("%d\n", s < a);
    printf("%d\n", s < (int32_t)a);
    printf("%ld %ld\n", (long)(a - b), (long)a - b);
    volatile uint16_t big = 65535u;
    printf("%u %lu\n", big * big, (unsigned long)big * big);
    printf("%u %lu\n", big + 1u, big + 1ul);
    printf("%u\n", (unsigned)~(uint8_t)0x0f);
    printf("%x\n", (unsigned)(uint16_t)~0x00f0u);
    printf("%d\n", -1 > (int)w);
    printf("%d\n", (long)s < (long)w);
    volatile uint8_t x = 0x80;
    printf("%ld %lu\n", (long)(int16_t)((uint16_t)x << 8), (unsigned long)x << 24);
    volatile int m = 200;
    printf("%ld\n", (long)m * 200);
    printf("%ld %ld\n", 30000L + m * 100, (long)m * m * m);
    volatile int8_t n = -128;
    printf("%d %u\n", -n, (unsigned)(uint8_t)n << 1);
    return 0;
}
