//! Conversions between all integer widths by truncation, sign extension and zero extension.
#include <stdio.h>
#include <stdint.h>

static const uint64_t pats[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x12345, 0x7fffffff,
    0x80000000u, 0xffffffffu, 0x100000000ull, 0xdeadbeefcafef00dull, 0x7fffffffffffffffull, 0x8000000000000000ull, ~0ull};

static int8_t t8(int64_t v) { return (int8_t)v; }
static uint8_t tu8(int64_t v) { return (uint8_t)v; }
static int16_t t16(int64_t v) { return (int16_t)v; }
static uint16_t tu16(int64_t v) { return (uint16_t)v; }
static int32_t t32(int64_t v) { return (int32_t)v; }
static uint32_t tu32(int64_t v) { return (uint32_t)v; }

int main(void) {
    for (unsigned i = 0; i < sizeof pats / sizeof *pats; i++) {
        int64_t v = (int64_t)pats[i];
        printf("%lld -> %d %u %d %u %d %u\n", (long long)v, t8(v), tu8(v), t16(v), tu16(v), t32(v), tu32(v));
        printf("   wide %lld %llu %lld %llu\n", (long long)t8(v), (unsigned long long)tu8(v), (long long)t16(v), (unsigned long long)(int64_t)t32(v));
        printf("   mix %u %lld %d\n", (unsigned)t8(v), (long long)(uint32_t)t16(v), (int16_t)tu8(v));
        printf("   bool %d %d\n", (_Bool)v, (_Bool)tu8(v));
    }
    signed char arr[4] = {(signed char)200, (signed char)-1, 127, (signed char)128};
    for (int i = 0; i < 4; i++) printf("%d %u ", arr[i], (unsigned char)arr[i]);
    printf("\n");
    return tu8(-2);
}
