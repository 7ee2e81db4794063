//! Switches on 64-bit, small and enum-sized selectors where truncation would go wrong.
#include <stdio.h>
#include <stdint.h>

static int s64(int64_t v) {
    switch (v) {
    case 0: return 1;
    case 1: return 2;
    case 0x100000000ll: return 3;
    case 0x100000001ll: return 4;
    case -1: return 5;
    case 0xffffffffll: return 6;
    case INT64_MIN: return 7;
    case INT64_MAX: return 8;
    }
    return 0;
}
static int u64(uint64_t v) {
    switch (v) {
        case UINT64_MAX: return 1;
        case 1ull << 63: return 2;
        case 0x8000000080000000ull: return 3;
        default: return 4;
    }
}
static int s8(int8_t v) {
    switch (v) { case -128: return 1; case -1: return 2; case 0: return 3; case 127: return 4; }
    return 0;
}
static int u8(uint8_t v) {
    switch (v) { case 0: return 1; case 127: return 2; case 128: return 3; case 255: return 4; }
    return 0;
}
static int s16(int16_t v) {
    switch (v) { case -32768: return 1; case -2: return 2; case 300: return 3; case 32767: return 4; }
    return 0;
}
static int b(_Bool v) { switch ((int)v) { case 0: return 10; case 1: return 20; } return 30; }

int main(void) {
    static const int64_t v[] = {0, 1, 2, 0x100000000ll, 0x100000001ll, 0x200000000ll, -1, 0xffffffffll, INT64_MIN, INT64_MAX};
    for (int i = 0; i < 10; i++)
        printf("%lld: %d %d %d %d %d %d\n", (long long)v[i], s64(v[i]), u64((uint64_t)v[i]), s8((int8_t)v[i]), u8((uint8_t)v[i]), s16((int16_t)v[i]), b(v[i]));
    printf("%d %d\n", u64(0x8000000080000000ull), u64(1ull << 63));
    for (int i = -129; i < 257; i += 127) printf("%d %d ", s8((int8_t)i), u8((uint8_t)i));
    printf("%d %d\n", s16(300), s16((int16_t)65534));
    return s64(0x100000001ll);
}
