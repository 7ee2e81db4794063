//! Saturating arithmetic and rotate idioms at 8 to 64 bits.
#include <stdio.h>
#include <stdint.h>

static uint8_t addu8(uint8_t a, uint8_t b) { unsigned s = a + b; return s > 255 ? 255 : (uint8_t)s; }
static int16_t adds16(int16_t a, int16_t b) {
    int s = a + b;
    return (int16_t)(s > INT16_MAX ? INT16_MAX : s < INT16_MIN ? INT16_MIN : s);
}
static uint32_t subu32(uint32_t a, uint32_t b) { return a > b ? a - b : 0; }
static int32_t adds32(int32_t a, int32_t b) {
    int32_t r;
    if (__builtin_add_overflow(a, b, &r)) return a < 0 ? INT32_MIN : INT32_MAX;
    return r;
}
static int64_t muls64(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r)) return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
    return r;
}
static uint8_t rol8(uint8_t v, unsigned n) { n &= 7; return (uint8_t)(v << n | v >> ((8 - n) & 7)); }
static uint16_t ror16(uint16_t v, unsigned n) { n &= 15; return (uint16_t)(v >> n | v << ((16 - n) & 15)); }
static uint32_t rol32(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }
static uint64_t ror64(uint64_t v, unsigned n) { return v >> (n & 63) | v << (-n & 63); }

int main(void) {
    printf("%u %u %u\n", addu8(200, 55), addu8(200, 56), addu8(255, 255));
    printf("%d %d %d\n", adds16(32767, 1), adds16(-32768, -1), adds16(-5, 3));
    printf("%u %u\n", subu32(3, 5), subu32(5, 3));
    printf("%d %d %d\n", adds32(INT32_MAX, 1), adds32(INT32_MIN, -1), adds32(7, -9));
    printf("%lld %lld %lld\n", (long long)muls64(INT64_MAX, 2), (long long)muls64(INT64_MIN, 3), (long long)muls64(-3, 1ll << 40));
    for (unsigned n = 0; n < 70; n += 3)
        printf("%u %02x %04x %08x %016llx\n", n, rol8(0x81, n), ror16(0x8003, n), rol32(0xc0000001u, n), (unsigned long long)ror64(0x8000000000000003ull, n));
    printf("%02x %04x %08x\n", __builtin_rotateleft8(0x91, 3), __builtin_rotateright16(0x9001, 5), __builtin_rotateleft32(0x80000011u, 30));
    printf("%016llx\n", (unsigned long long)__builtin_rotateleft64(0x0123456789abcdefull, 20));
    return addu8(100, 23);
}
