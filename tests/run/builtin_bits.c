//! popcount, clz, ctz, ffs, parity, bswap, bitreverse and clrsb builtins over many values.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    static volatile uint64_t v[] = {1, 2, 3, 0x80, 0xff, 0x100, 0x8000, 0x12345678, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x100000000ull, 0xdeadbeefcafebabeull, 0x8000000000000000ull, ~0ull};
    for (unsigned i = 0; i < 15; i++) {
        uint64_t q = v[i];
        uint32_t w = (uint32_t)q;
        printf("%llx: %d %d %d %d %d", (unsigned long long)q, __builtin_popcountll(q), __builtin_clzll(q), __builtin_ctzll(q), __builtin_ffsll((long long)q), __builtin_parityll(q));
        if (w) printf(" | %d %d %d %d %d", __builtin_popcount(w), __builtin_clz(w), __builtin_ctz(w), __builtin_ffs((int)w), __builtin_parity(w));
        printf(" | %016llx %08x %04x", (unsigned long long)__builtin_bswap64(q), __builtin_bswap32(w), __builtin_bswap16((uint16_t)q));
        printf(" | %02x %04x %08x %016llx | %d %d\n", __builtin_bitreverse8((uint8_t)q), __builtin_bitreverse16((uint16_t)q), __builtin_bitreverse32(w), (unsigned long long)__builtin_bitreverse64(q), __builtin_clrsb((int)w), __builtin_clrsbll((long long)q));
    }
    printf("%d %d %d\n", __builtin_ffs(0), __builtin_popcount(0), __builtin_ffsl(0));
    unsigned long l = 0xf0;
    printf("%d %d %d\n", __builtin_popcountl(l), __builtin_ctzl(l), __builtin_parityl(l));
    return __builtin_popcount(0xfff);
}
