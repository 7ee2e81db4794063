//! Left and right shifts at every width, constant and variable counts.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    volatile uint32_t u = 0x80000001u;
    volatile int32_t s = -123456789;
    volatile uint64_t q = 0x8000000000000001ull;
    volatile int64_t t = -1234567890123456789ll;
    for (int n = 0; n < 32; n++) printf("%d %08x %08x %d\n", n, u << n, u >> n, s >> n);
    for (int n = 0; n < 64; n += 3)
        printf("%d %016llx %016llx %lld\n", n, (unsigned long long)(q << n), (unsigned long long)(q >> n), (long long)(t >> n));
    uint8_t b = 0x96;
    int8_t sb = -106;
    uint16_t h = 0xbeef;
    int16_t sh = -16657;
    for (int n = 0; n < 8; n++)
        printf("%02x %02x %d %04x %04x %d\n", (uint8_t)(b << n), b >> n, sb >> n, (uint16_t)(h << n), h >> n, sh >> n);
    printf("%d %d\n", b << 8, (b << 8) >> 8);
    uint32_t x = 1;
    x <<= 31; printf("%u\n", x);
    x >>= 30; printf("%u\n", x);
    printf("%llu %llu\n", 1ull << 63, (unsigned long long)(1u << 31));
    long long neg = -1; neg >>= 63; printf("%lld\n", neg);
    unsigned char c = 200; c <<= 1; printf("%d\n", c); c >>= 3; printf("%d\n", c);
    signed char d = -56; d >>= 2; printf("%d\n", d);
    return (int)(u >> 28);
}
