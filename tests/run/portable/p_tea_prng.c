//! TEA-style encryption, LFSR and xorshift generators in fixed widths.
#include <stdio.h>
#include <inttypes.h>
static void enc(uint32_t v[2], const uint32_t k[4]) {
    uint32_t s = 0;
    for (int i = 0; i < 32; i++) {
        s += UINT32_C(0x9e3779b9);
        v[0] += ((v[1] << 4) + k[0]) ^ (v[1] + s) ^ ((v[1] >> 5) + k[1]);
        v[1] += ((v[0] << 4) + k[2]) ^ (v[0] + s) ^ ((v[0] >> 5) + k[3]);
    }
}
static void dec(uint32_t v[2], const uint32_t k[4]) {
    uint32_t s = UINT32_C(0xc6ef3720);
    for (int i = 0; i < 32; i++) {
        v[1] -= ((v[0] << 4) + k[2]) ^ (v[0] + s) ^ ((v[0] >> 5) + k[3]);
        v[0] -= ((v[1] << 4) + k[0]) ^ (v[1] + s) ^ ((v[1] >> 5) + k[1]);
        s -= UINT32_C(0x9e3779b9);
    }
}
int main(void) {
    uint32_t v[2] = {UINT32_C(0x01234567), UINT32_C(0x89abcdef)}, k[4] = {UINT32_C(0x11111111), UINT32_C(0x22222222), UINT32_C(0x33333333), UINT32_C(0x44444444)};
    enc(v, k);
    printf("%08" PRIx32 " %08" PRIx32 "\n", v[0], v[1]);
    dec(v, k);
    printf("%08" PRIx32 " %08" PRIx32 "\n", v[0], v[1]);
    uint16_t l = 1;
    uint32_t n = 0;
    do { uint16_t lsb = l & 1u; l >>= 1; if (lsb) l ^= 0xb400u; n++; } while (l != 1 && n < 70000u);
    printf("%" PRIu32 "\n", n);
    uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 5; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; printf("%016" PRIx64 " ", x); }
    printf("\n");
    uint8_t h[16] = {0};
    uint32_t y = UINT32_C(2463534242);
    for (int i = 0; i < 160; i++) { y ^= y << 13; y ^= y >> 17; y ^= y << 5; h[y >> 28]++; }
    for (int i = 0; i < 16; i++) printf("%u ", h[i]);
    printf("\n");
    return 0;
}
